// The meanings of states, in words that help a person decide.

import { ago } from './time.js';

/** By state of trust: a title, what it means, and a tone. */
export const trustWords = {
  unknown: { title: 'Not decided', tone: 'calm', means: 'This person is nearby, but you have never talked. Anyone can use any name.' },
  tofu: { title: 'Not verified', tone: 'calm', means: 'Your messages are encrypted to the identity you met first. Compare the safety number to be sure it is theirs.' },
  verified: { title: 'Verified', tone: 'good', means: 'You compared the safety number. Nobody in between can read or forge what you two write.' },
  changed: { title: 'Changed', tone: 'bad', means: 'Another identity claims to be this person. It may be a new device, or someone who pretends to be them. Nothing is sent until you decide.' },
  revoked: { title: 'Revoked', tone: 'bad', means: 'The owner declared this identity invalid. Earshot sends nothing to it and accepts nothing from it.' },
  blocked: { title: 'Blocked', tone: 'bad', means: 'You get no messages from this person. They are not told.' },
};

/** The presence of a contact: in reach, or heard some time ago. */
export function presence(contact, now) {
  if (contact.reachable) return contact.hops > 1 ? `In reach, ${contact.hops} hops` : 'In reach';
  return contact.lastSeen ? `Heard ${ago(contact.lastSeen, now)}` : 'Not heard yet';
}

/** The meaning of a contact's state; for a changed one, it depends on whether the contact has a new identity. */
export function trustMeans(contact) {
  if (contact.trust !== 'changed' || !contact.successor) return (trustWords[contact.trust] ?? trustWords.unknown).means;
  return `${contact.name} wants to replace their identity by a new one, which this one has signed. Someone who stole its keys could do the same. Nothing is sent until you decide.`;
}

/** By status of an own message: an icon and what it says. */
export const statusWords = {
  queued: { mark: 'clock', says: 'Waiting: nobody in reach yet' },
  sent: { mark: 'check', says: 'Sent' },
  carried: { mark: 'carried', says: 'On its way: another node is carrying it' },
  delivered: { mark: 'delivered', says: 'Delivered' },
  read: { mark: 'delivered', says: 'Read' },
  failed: { mark: 'failed', says: 'Not delivered' },
};

/** Whether an own message is still on its way. */
export function isPending(message) {
  return message.outgoing && ['queued', 'sent', 'carried'].includes(message.status);
}

/** Whether the status of an own message is that of a sample of a large group. */
export function isOfSample(message) {
  return message.sampled === true && ['delivered', 'read'].includes(message.status);
}

/** The mark and the words of an own message's status. */
export function statusOf(message) {
  const known = statusWords[message.status];
  if (!known || !isOfSample(message)) return known;
  return { ...known, says: `${known.says} (sampled): at least 12 of 16 members, chosen by chance, have it` };
}

const failures = {
  expired: 'It did not arrive within seven days.',
  refusedByTrust: 'The identity was changed, blocked or revoked.',
  cancelled: 'You cancelled it.',
  notMember: 'You are no longer a member.',
};

/** Why a message failed. */
export function failureWords(reason) {
  return failures[reason] ?? 'It will not arrive.';
}

/** A line about the conversation, with who did what. */
export function systemWords(message, name, spanOf) {
  const who = message.outgoing ? 'You' : name(message.from);
  const { event, peer, title, expiresAfter } = message.system ?? {};
  const whom = peer ? (name(peer) === 'You' ? 'you' : message.system.name ?? name(peer)) : '';
  switch (event) {
    case 'timer':
      return expiresAfter ? `${who} set messages to disappear ${spanOf(expiresAfter)} after they are read` : `${who} turned disappearing messages off`;
    case 'founded': return `${who} created this conversation`;
    case 'added': return `${who} added ${whom}`;
    case 'removed': return `${who} removed ${whom}`;
    case 'left': return `${who} left`;
    case 'renamed': return `${who} renamed it to “${title}”`;
    case 'handedOver': return `${who} handed it over to ${whom}`;
    default: return 'Something happened that this version of Earshot does not know';
  }
}

/** The marks of a message that matter before it is believed, in a word or two each. */
export function doubts(message) {
  return [message.request && 'request', message.vouchedBy && 'from before you came', message.imported && 'imported'].filter(Boolean);
}

/** One line that stands for a message in a list or a notice. */
export function summary(message) {
  if (!message) return '';
  if (message.deleted) return 'Deleted message';
  const file = message.files?.[0];
  switch (message.kind) {
    case 'poll': return `Poll: ${message.poll?.question ?? ''}`;
    case 'voice': return 'Voice note';
    case 'image': return message.text ? `Image: ${message.text}` : 'Image';
    case 'file': return `File: ${file?.name ?? ''}`;
    default: return message.text || (file ? `File: ${file.name}` : '');
  }
}

const hubStates = {
  live: 'Connected', checking: 'Connected, fetching mail', catchingUp: 'Connected, fetching mail',
  waiting: 'Not connected, tried again soon', refused: 'Refused, tried again within an hour',
};

/** The state of a hub. */
export function hubWords(state) {
  return hubStates[state] ?? 'Connecting';
}

/** An error in words that a person can act on. */
export function errorWords(error) {
  const known = {
    locked: 'Your node is locked. Unlock it first.',
    refusedByTrust: 'Nothing is sent to this identity until you decide. Open the details to compare or accept it.',
    numberMismatch: 'The numbers differ. Check the digits; if they are right, someone is between the two of you.',
    notMember: 'You are no longer a member here.',
    expired: 'This has ended.',
  };
  return known[error?.name] ?? error?.message ?? 'Something went wrong. Try again.';
}

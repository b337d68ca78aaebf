// The questions of views to the state.

/** The peer ids under which this user writes in a conversation: a room has its own. */
export function ownID(state, conversation) {
  return state.rooms[conversation]?.own ?? state.status?.id;
}

/** The members of a conversation as `{id, name}`, this user too. */
export function membersOf(state, id) {
  const many = state.rooms[id] ?? state.groups[id];
  if (many) return many.members;
  const own = state.status ? [{ id: state.status.id, name: state.status.name }] : [];
  const peer = state.contacts[id];
  return peer ? [...own, { id, name: peer.name }] : own;
}

/** The name of a peer in a conversation. */
export function nameIn(state, conversation, peer) {
  if (peer === ownID(state, conversation)) return 'You';
  return membersOf(state, conversation).find((one) => one.id === peer)?.name ?? state.contacts[peer]?.name ?? peer.slice(0, 8);
}

/** A conversation as it is shown, also one with a contact nobody wrote to yet; null for none. */
export function conversationOf(state, id) {
  if (!id) return null;
  const known = state.conversations[id];
  if (known) return known;
  const contact = state.contacts[id];
  if (contact) return personal(contact);
  const room = state.rooms[id];
  if (room) return { id, kind: 'room', title: room.title, members: [], unread: 0, request: false };
  const group = state.groups[id];
  return group ? { id, kind: 'group', title: group.title, members: [], unread: 0, request: group.standing === 'invited' } : null;
}

/** The conversation with a contact nobody wrote to yet. */
export function personal({ id, name }) {
  return { id, kind: 'direct', title: name, members: [id], unread: 0, request: false, isNew: true };
}

/** The people and conversations whose title contains a text, those with the newest messages first. */
export function titled(state, text) {
  const { chats, requests, waiting, nearby } = sections(state);
  return [...chats, ...requests, ...waiting, ...nearby.map(personal)].filter((one) => contains(one.title, text));
}

/** Whether a name contains a text, in letters of any case, with or without accents. */
export function contains(name, text) {
  return plain(name).includes(plain(text.trim()));
}

/** The letters of a name, without case, accents, and characters that nobody sees. */
function plain(letters) {
  return letters.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '').toLocaleLowerCase();
}

const sharedNames = new WeakMap();

/** The first digits of a contact's fingerprint, where another contact has the same name; null elsewhere. */
export function tellingDigits(state, id) {
  const { contacts } = state;
  if (!sharedNames.has(contacts)) {
    const counts = new Map();
    for (const { name } of Object.values(contacts)) counts.set(plain(name.trim()), (counts.get(plain(name.trim())) ?? 0) + 1);
    sharedNames.set(contacts, counts);
  }
  const one = contacts[id];
  return one && sharedNames.get(contacts).get(plain(one.name.trim())) > 1 ? one.fingerprint.slice(0, 11) : null;
}

/** The people who can be written to, by name. */
export function reachablePeople(state) {
  return Object.values(state.contacts).filter((one) => !['blocked', 'revoked', 'changed'].includes(one.trust)).sort((a, b) => a.name.localeCompare(b.name));
}

/** The list of conversations in its parts: what goes on, requests, and people nearby nobody wrote to yet. */
export function sections(state) {
  const all = Object.values(state.conversations);
  const time = (conversation) => Date.parse(conversation.last?.receivedAt ?? 0) || 0;
  const order = (a, b) => Number(b.pinned ?? 0) - Number(a.pinned ?? 0) || time(b) - time(a);
  const waiting = Object.values(state.rooms).filter((room) => room.standing === 'waiting' && !state.conversations[room.id]);
  const isBlocked = (conversation) => state.contacts[conversation.id]?.trust === 'blocked';
  return {
    chats: all.filter((one) => !one.request && !isBlocked(one)).sort(order),
    requests: all.filter((one) => one.request && !isBlocked(one)).sort(order),
    waiting: waiting.map((room) => conversationOf(state, room.id)),
    nearby: Object.values(state.contacts)
      .filter((contact) => !state.conversations[contact.id] && !['blocked', 'revoked'].includes(contact.trust))
      .sort((a, b) => Number(b.reachable) - Number(a.reachable) || a.name.localeCompare(b.name)),
  };
}

/** Whether a conversation wants no notices now. */
export function isMuted(conversation, now) {
  return Boolean(conversation?.mutedUntil) && Date.parse(conversation.mutedUntil) > now;
}

/** The distance to the mesh in words: `searching`, `connecting` or `connected`, and the hops of the farthest. */
export function reach(state) {
  if (state.connection !== 'open') return { level: 'offline' };
  const links = state.status?.links ?? 0;
  if (links === 0) return { level: (state.status?.neighbours ?? 0) > 0 ? 'connecting' : 'searching' };
  const hops = Object.values(state.contacts).filter((one) => one.reachable && one.hops).map((one) => one.hops);
  return { level: 'connected', links, hops: hops.length ? Math.max(...hops) : null };
}

/** Whether a message shows that the contact of a direct conversation has accepted this user. */
export function isAnswer(message) {
  return message.kind !== 'system' && (!message.outgoing || ['delivered', 'read'].includes(message.status));
}

/** Whether a contact has yet to accept this user: all that was written is undelivered, and nothing ever came back. */
export function awaitsAcceptance(state, conversation) {
  const timeline = state.timelines[conversation.id];
  if (conversation.kind !== 'direct' || !timeline?.messages.length || timeline.before || timeline.after) return false;
  // A history that was deleted here has lost the answers; these facts stay, and only contacts who answered have them.
  const { emoji, colour, hubs } = state.contacts[conversation.id] ?? {};
  if (emoji || colour || hubs || state.answered[conversation.id]) return false;
  const said = timeline.messages.filter((message) => message.kind !== 'system');
  return said.length > 0 && said.every((message) => !isAnswer(message) && message.status !== 'failed');
}

/** The contact whose name a person took that the user has not decided about; null for none. */
export function claimedBy(state, id) {
  const person = state.contacts[id];
  if (!person || person.trust !== 'unknown') return null;
  const isMet = (one) => ['tofu', 'verified', 'changed'].includes(one.trust);
  return Object.values(state.contacts).find((one) => one.id !== id && (one.claimants?.includes(id) || (isMet(one) && one.name === person.name))) ?? null;
}

/** Why nothing can be written in a conversation, in words; null where it can. */
export function silence(state, conversation) {
  if (!conversation) return null;
  if (state.status?.revoked) return 'Your identity is revoked. You can no longer write under it.';
  if (conversation.kind === 'group') {
    const standing = state.groups[conversation.id]?.standing;
    if (standing === 'joining') return 'You are joining. You can write as soon as a member answers.';
    if (standing === 'out') return 'You are no longer in this group.';
  }
  if (conversation.kind === 'room') {
    const standing = state.rooms[conversation.id]?.standing;
    if (standing === 'waiting') return 'You asked to join. The host has to let you in.';
    if (!standing || standing === 'left') return 'This room has ended.';
  }
  return null;
}

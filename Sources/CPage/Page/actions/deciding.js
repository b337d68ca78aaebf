// Decisions that ask first or tell afterwards, and the numbers and codes that help with them.

import { errorWords } from '../text/words.js';
import { code } from '../wire/files.js';

export function deciding({ store, say, act }) {
  const dispatch = store.dispatch;
  let sounding = null;

  /** Does something, and tells what was refused. */
  async function attempt(doing) {
    try {
      return await doing();
    } catch (error) {
      say(errorWords(error), 'bad');
      return null;
    }
  }

  const own = {
    decide: (peer, action) => attempt(() => act.trust(peer, action)),
    nameContact: (peer, name) => attempt(async () => {
      await act.renameContact(peer, name);
      say(name ? 'Saved.' : 'Their own name is shown again.');
    }),
    answer: (group, accept) => attempt(() => act.answerInvitation(group, accept)),
    admit: (room, joiner, on) => attempt(() => act.approve(room, joiner, on)),
    setDoor: (room, open) => attempt(() => act.door(room, open)),
    searchNow: (text, conversation) => act.searchMessages(text, conversation),

    confirm: (dialog) => act.dialog({ kind: 'confirm', ...dialog }),
    confirmKeep: (contact) => own.confirm({
      title: `Keep this ${contact.name}?`, yes: 'Keep',
      words: `You continue to write to the identity that you know. The other one stays an unknown person. Compare the safety number first to be safe.`,
      doing: () => act.trust(contact.id, 'accept'),
    }),
    confirmSuccessor: (contact) => own.confirm({
      title: 'Switch to the new identity?', yes: 'Switch',
      words: `From now on you write to the new identity. Someone who stole the keys of ${contact.name} could be behind it. Compare the safety number first to be safe.`,
      doing: () => act.trust(contact.id, 'accept'),
    }),
    confirmBlock: (conversation) => own.confirm({
      title: `Block ${conversation.title}?`, yes: 'Block', words: 'You no longer get their messages. They are not told.',
      doing: () => act.trust(conversation.id, 'block'),
    }),
    confirmLeave: (conversation, ends) => own.confirm({
      title: ends ? `End ${conversation.title}?` : `Leave ${conversation.title}?`, yes: ends ? 'End the room' : 'Leave',
      words: ends ? 'The room ends for everyone, and its keys are destroyed.' : conversation.kind === 'room' ? 'Everything in it is deleted from this machine.' : 'You get no new messages of the group. The messages that you have stay.',
      doing: async () => {
        await act.leave(conversation.kind, conversation.id);
        if (conversation.kind === 'room') act.open(null);
      },
    }),

    confirmRotation: () => attempt(async () => {
      const { contacts, following, leaving, owned } = await act.rotationPlan();
      const list = (words, titles) => (titles.length ? ` ${words} ${titles.join(', ')}.` : '');
      own.confirm({
        title: 'Replace your identity?', yes: 'Replace', doing: async () => { await act.rotate(); },
        words: `${contacts === 1 ? 'One contact is' : `${contacts} contacts are`} told. Those who verified you compare the safety number again.${list('You stay in', following)}${list('You leave', leaving)}${list('Hand over first:', owned)}`,
      });
    }),
    confirmRevocation: () => own.confirm({
      title: 'Revoke your identity?', yes: 'Revoke forever', doing: async () => { await act.revoke(); },
      words: 'Everyone is told not to trust it any more. You can never send under it again, and nobody can undo this.',
    }),

    /** Fetches the safety number with a contact. */
    compare(peer) {
      dispatch({ type: 'comparing', comparing: { peer, number: null, rows: null, error: null } });
      return attempt(async () => own.comparing({ number: await act.safetyNumber(peer) }));
    },
    comparing: (change) => dispatch({ type: 'comparing', comparing: { ...store.state.comparing, ...change } }),
    showCode: (peer) => attempt(async () => own.comparing({ rows: await code(`earshot:peer?id=${store.state.status.id}&with=${peer}`) })),
    showRoomCode: (room, invite) => attempt(async () => dispatch({ type: 'comparing', comparing: { peer: room, rows: await code(invite) } })),

    copy: (text) => attempt(async () => {
      await navigator.clipboard.writeText(text);
      say('Copied.');
    }),

    /** Plays a voice note, and stops another that plays. */
    playAlone(sound) {
      if (sounding !== sound) sounding?.pause();
      sounding = sound;
      return sound.play();
    },

    /** Asks the browser for notices, or wants none any more. */
    async allowNotices(on) {
      const isAllowed = on && 'Notification' in window && await Notification.requestPermission() === 'granted';
      act.setting({ notices: isAllowed });
    },
  };
  return own;
}

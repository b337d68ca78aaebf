// Trust, groups, rooms and the data directory. Forms show the errors of these actions.

import { errorWords } from '../text/words.js';
import { saveExport } from '../wire/files.js';

export function meeting({ store, connection, say, loading }) {
  const dispatch = store.dispatch;

  /** Calls a method, then asks for the lists that it may have changed. */
  async function change(method, parameters, ...lists) {
    const answer = await connection.call(method, parameters);
    loading.refresh(...lists);
    return answer;
  }

  /** Changes a contact, and shows it everywhere. */
  async function changeContact(method, parameters) {
    const contact = await change(method, parameters, 'contacts', 'conversations', 'groups');
    dispatch({ type: 'event', event: { type: 'contact', contact } });
    const { open } = store.state;
    if (open) loading.newest(open);
  }

  /** Tells what was refused. */
  const tried = (doing) => doing.catch((error) => say(errorWords(error), 'bad'));

  return {
    safetyNumber: async (peer) => (await connection.call('safetyNumber', { peer })).number,
    /** Compares a number, or the text of a scanned code, with what the program knows. */
    verify: (peer, given) =>
      change('verify', { peer, ...(given.trim().startsWith('earshot:') ? { code: given.trim() } : { number: given.replace(/\D/g, '') }) }, 'contacts'),
    trust: (peer, action) => changeContact('trust', { peer, action }),
    /** Gives a contact a name of the user's own; an empty one removes it. */
    renameContact: (peer, name) => changeContact('contact.rename', { peer, ...(name ? { name } : {}) }),

    createGroup: (title, members) => change('group.create', { title, members }, 'groups', 'conversations'),
    addMembers: (group, members) => change('group.add', { group, members }, 'groups', 'conversations'),
    removeMember: (kind, id, member) => change(`${kind}.remove`, { [kind]: id, member }, `${kind}s`, 'conversations'),
    handOver: (kind, id, member) => change(`${kind}.handover`, { [kind]: id, member }, `${kind}s`),
    setAdmin: (group, member, admin) => change('group.admin', { group, member, admin }, 'groups'),
    setSuccessor: (group, member) => change('group.successor', { group, ...(member ? { member } : {}) }, 'groups'),
    takeOver: (group) => change('group.takeOver', { group }, 'groups'),
    rename: (kind, id, title) => change(`${kind}.rename`, { [kind]: id, title }, `${kind}s`, 'conversations'),
    leave: (kind, id) => change(`${kind}.leave`, { [kind]: id }, `${kind}s`, 'conversations'),
    answerInvitation: (group, accept) => change('group.answer', { group, accept }, 'groups', 'conversations'),

    createRoom: (plan) => change('room.create', plan, 'rooms', 'conversations'),
    joinRoom: (code, name) => change('room.join', { code, ...(name ? { name } : {}) }, 'rooms', 'conversations'),
    approve: (room, joiner, admit) => change('room.approve', { room, joiner, admit }, 'rooms'),
    door: (room, open) => change('room.door', { room, open }, 'rooms'),

    async setProfile(values) {
      dispatch({ type: 'profile', profile: await change('profile', values, 'status') });
    },
    setDelivery: (setting) => tried(change('delivery', { setting }, 'status')),
    letNewcomers: (group, history) => tried(change('group.history', { group, history }, 'groups')),
    /** Asks who may add the user to groups without a question; sets it first where that is chosen. */
    inviters: (chosen) => tried(connection.call('group.inviters', chosen ? { inviters: chosen } : {}).then((change) => dispatch({ type: 'dialog.change', change }))),
    /** Asks how long messages are kept, of a conversation or ('') of all; sets it first where something is chosen. */
    keep(id, chosen) {
      const set = { all: { own: false }, forever: { forever: true }, limited: {} }[chosen] ?? (chosen ? { age: Number(chosen) } : {});
      return tried(connection.call('retention', { ...(id ? { conversation: id } : {}), ...set }).then((kept) => dispatch({ type: 'kept', id, kept })));
    },
    exportHistory: (conversation, format, passphrase) =>
      saveExport({ conversation, format, ...(passphrase ? { passphrase } : {}) }, `earshot.${format}${passphrase ? '.sealed' : ''}`),
    /** Asks which rooms are in reach. */
    lookForRooms: () => tried(connection.call('room.visible').then((nearby) => dispatch({ type: 'dialog.change', change: { nearby } }))),
    /** Asks for the mesh as the node knows it. */
    lookAtMesh: () => tried(connection.call('map').then((map) => dispatch({ type: 'dialog.change', change: { map } }))),
    rotationPlan: () => connection.call('identity.rotationPlan'),
    rotate: () => change('identity.rotate', {}, 'status', 'contacts', 'conversations', 'groups'),
    revoke: () => change('identity.revoke', { own: true }, 'status', 'conversations'),
    removePassphrase: (current) => change('passphrase.remove', { current }, 'status'),
    setPassphrase: (next) => change('passphrase.set', { new: next }, 'status'),
    changePassphrase: (current, next) => change('passphrase.change', { current, new: next }, 'status'),
    lock: () => connection.call('lock'),
    unlock: (passphrase) => connection.call('unlock', { passphrase }),

    /** Searches; what an older search answers later is dropped. */
    async searchMessages(text, conversation) {
      if (!text.trim()) return dispatch({ type: 'search', search: { text, conversation, hits: null, busy: false, error: null } });
      dispatch({ type: 'search', search: { text, conversation, busy: true, error: null } });
      const isCurrent = () => store.state.search?.text === text && store.state.search.conversation === conversation;
      try {
        const hits = await connection.call('search', { query: text, limit: 50, ...(conversation ? { conversation } : {}) });
        if (isCurrent()) dispatch({ type: 'search', search: { hits, busy: false } });
      } catch (error) {
        if (isCurrent()) dispatch({ type: 'search', search: { busy: false, error: error.message } });
      }
    },
  };
}

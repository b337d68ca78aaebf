// Hubs, by which networks exchange mail, and links for people in other networks.

import { errorWords } from '../text/words.js';
import { code } from '../wire/files.js';

/** Milliseconds between two questions for the hubs that are shown. */
const hubsPause = 3_000;

export function joining({ store, connection, act }) {
  const ask = () => connection.call('hubs').then((hubs) => act.changeDialog({ hubs }), () => undefined);
  let timer = 0;

  /** Asks, does it, and returns to a part of the settings with what it gave. */
  function confirm(at, title, yes, words, doing, kept) {
    const settings = { kind: 'settings', at, hubs: store.state.dialog.hubs };
    act.confirm({
      title, yes, words, back: { ...settings, ...kept },
      doing: async () => {
        act.dialog({ ...settings, ...await doing() });
        return true;
      },
    });
  }

  const own = {
    watchHubs() {
      ask();
      timer = setInterval(ask, hubsPause);
    },
    leaveHubs: () => clearInterval(timer),
    addHub: (address) => confirm('hubs', 'Use this hub?', 'Use it', 'The hub\'s operator sees your address, when and how much. Not who or what.',
      async () => ({ hubs: await connection.call('hubs.add', { address }) }), { address }),
    removeHub: ({ host, address }) => confirm('hubs', `Remove ${host}?`, 'Remove', 'Your node forgets its login too.',
      async () => ({ hubs: await connection.call('hubs.remove', { address }) })),

    async invite() {
      try {
        const invite = await connection.call('identity.invite');
        act.changeDialog({ invite: { ...invite, rows: await code(invite.link) } });
      } catch (error) {
        act.changeDialog({ invite: { error: errorWords(error) } });
      }
    },
    endInvites: () => confirm('links', 'End all links?', 'End them', 'Nobody can use them to write to you any more.',
      async () => ({ invite: await connection.call('identity.endInvites') })),

    /** Writes to the owner of a link; a new hub is joined after a yes. */
    async write(link, text, addHubs) {
      const { id, missing } = await connection.call('follow', { link, addHubs });
      if (!missing.length) {
        await connection.call('send', { to: id, text });
        return act.openAnew(id);
      }
      const name = store.state.contacts[id]?.name;
      const use = missing.length > 1 ? 'Use these hubs' : 'Use this hub';
      act.confirm({
        title: `${use}?`, yes: use, back: { kind: 'new', part: 'link', link, text }, doing: () => own.write(link, text, true),
        without: store.state.status.gateway !== undefined && (() => own.write(link, text, false)),
        words: `${name ? `${name} reads` : 'They read'} mail at ${missing.join(' and ')}. ${use}? ${missing.length > 1 ? 'They' : 'It'} will see your internet address.`,
      });
      return true;
    },
  };
  return own;
}

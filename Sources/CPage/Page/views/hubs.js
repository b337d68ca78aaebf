// Other networks: the settings of the node's hubs, and links for people there.

import { h } from './dom.js';
import { button, field, filled, part } from './parts.js';
import { qrCode } from './qr.js';
import { dayName, remaining } from '../text/time.js';
import { hubWords } from '../text/words.js';

/** The hubs, and the links. */
export function far({ dialog, now }, act) {
  const { at, address = '', hubs: known } = dialog;
  return [part('Join networks over the internet',
    h('p', { class: 'muted', role: 'status' }, known && (known.advice ?? reach(known))),
    h('ul', { mounted: act.watchHubs, removed: act.leaveHubs }, known?.hubs.map((hub) => row(hub, known, act))),
    known?.changeable !== false && h('form', { on: { submit: (event) => {
      event.preventDefault();
      act.addHub(event.currentTarget.address.value.trim());
    } } },
    field('Hub', h('input', { name: 'address', required: true, maxlength: '256', autocomplete: 'off', spellcheck: 'false', placeholder: 'tls://hub.example.org', autofocus: at === 'hubs', mounted: filled(address) }), 'With a login: tls://USER:PASSWORD@hub.example.org'),
    h('div', { class: 'details-row' }, button('Add', null, { type: 'submit' })))), part('Invite from afar', invite(dialog, now, act))];
}

/** The way of mail for a node without hubs. */
function reach({ hubs, gateway }) {
  if (hubs.length) return null;
  const age = gateway < 60 ? 'just now' : `${remaining(gateway - gateway % 60)} ago`;
  return gateway === undefined ? 'Off. A hub keeps sealed mail for people in other networks.' : `By a gateway in this network, heard ${age}.`;
}

function row(hub, { fixed, changeable }, act) {
  return h('li', { class: 'card', key: hub.address },
    h('div', { class: 'person' }, h('strong', { class: 'choice-name' }, hub.host),
      changeable && !fixed.includes(hub.address) && button('Remove', () => act.removeHub(hub), { tone: 'danger-quiet', 'aria-label': `Remove ${hub.host}` })),
    h('p', { role: 'status' }, hubWords(hub.state)),
    hub.advice && h('p', { class: 'error' }, hub.advice),
    h('p', { class: 'field-hint' }, `${hub.sent} sent, ${hub.fetched} fetched${hub.waiting >= 0 ? `, ${hub.waiting} waiting` : ''}`));
}

/** A link by which one person in another network can write, and its QR code. */
export function invite({ kind, at, invite: made }, now, act) {
  const { link, rows, ends, hubs, ended, error } = made ?? {};
  return h('div', null,
    link && [h('p', { class: 'command' }, link), qrCode(rows, 'Your link as a QR code')],
    h('p', { class: 'muted', role: 'status' }, link ? `The link is a secret: whoever has it can write to you until ${dayName(ends, now)}. Give it to one person.`
      : ended === undefined ? 'A link lets one person in another network write to you.' : `Links ended: ${ended}.`),
    (error || link && !hubs.length) && h('p', { class: 'error', role: 'alert' }, error ?? 'It names no hub: your node has none. Add a hub, then make a new link.'),
    h('div', { class: 'details-row' }, button('Make a link', act.invite, { tone: 'quiet', autofocus: at === 'links' }),
      link && button('Copy', () => act.copy(link), { tone: 'quiet' }),
      kind !== 'new' && button('End all links', act.endInvites, { tone: 'danger-quiet' })));
}

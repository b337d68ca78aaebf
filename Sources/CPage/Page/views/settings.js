// The user's settings: name and picture, appearance, notifications, the cover, delivery, the passphrase.

import { h } from './dom.js';
import { keeping } from './details.js';
import { dialogFrame, submitting } from './dialogs.js';
import { far } from './hubs.js';
import { button, choice, field, filled, part, said, toggle } from './parts.js';
import { size } from '../text/time.js';

const colours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'];
const themes = [['system', 'Same as system'], ['light', 'Light'], ['dark', 'Dark']];
/** Letters below which a passphrase is called short. */
const shortest = 8;
/** Units: minutes of idleness; 0 for never. */
const coverTimes = [0, 1, 5, 15];
/** By delivery setting: its name, and what it means. */
const deliveries = {
  auto: ['Automatic', 'Private until the mesh is busy, then fast.'],
  private: ['Private', 'Every node gets a copy of each message, so nobody learns who it is for. Large files still travel directly.'],
  fast: ['Fast', 'Once a way is known, only the nodes in between get a copy. They learn which nodes exchange messages, but not what is said.'],
};

/** The dialog with all settings. */
export function settingsDialog(state, act) {
  return dialogFrame('Settings', state, act,
    you(state, act), look(state, act), notices(state, act), cover(state, act), delivery(state, act), far(state, act), passphrase(state, act),
    part('History', keeping('', state, act)), groups(state, act), identity(state, act), about(state, act));
}

function you(state, act) {
  const emoji = state.profile?.emoji ?? '';
  const colour = state.profile?.colour ?? '';
  return part('You',
    h('form', { on: { submit: (event) => submitting(event, act, async (form) => {
      await act.setProfile({ name: form.nickname.value.trim(), emoji: form.emoji.value.trim(), colour: form.colour.value });
      act.say('Saved.');
      return true;
    }) } },
    field('Name', h('input', { name: 'nickname', required: true, maxlength: '32', autocomplete: 'off', dir: 'auto', mounted: filled(state.status.name) }), 'Others see this name. Only the fingerprint proves your identity.'),
    h('div', { class: 'side-by-side' },
      field('Emoji', h('input', { name: 'emoji', maxlength: '16', autocomplete: 'off', placeholder: 'None', mounted: filled(emoji) })),
      field('Colour', h('select', { name: 'colour', mounted: filled(colour) }, h('option', { value: '' }, 'None'), colours.map((name) => h('option', { value: name }, name[0].toUpperCase() + name.slice(1)))))),
    h('div', { class: 'details-row' }, button('Save', null, { type: 'submit', disabled: state.dialog.busy }))),
    h('p', { class: 'field-label' }, 'Your fingerprint'), h('p', { class: 'digits' }, state.status.fingerprint));
}

function look(state, act) {
  return part('Appearance',
    h('fieldset', { class: 'segments' }, h('legend', { class: 'unseen' }, 'Theme'), themes.map(([id, words]) => h('label', { class: 'segment', key: id },
      h('input', { type: 'radio', name: 'theme', value: id, checked: state.settings.theme === id, on: { change: () => act.setting({ theme: id }) } }), h('span', null, words)))));
}

function notices(state, act) {
  const isDenied = 'Notification' in window && Notification.permission === 'denied';
  return part('Notifications',
    toggle('Desktop notifications', state.settings.notices && !isDenied, act.allowNotices, isDenied ? 'Your browser is blocking notifications for this page. Allow them in its site settings.' : 'For messages while this page is open in the background.'),
    state.settings.notices && toggle('Show message text', state.settings.noticeText, (on) => act.setting({ noticeText: on }), 'Otherwise a notification says only that there is a message.'));
}

function cover(state, act) {
  return part('Privacy cover',
    toggle('Cover the page when it is hidden', state.settings.coverHidden, (on) => act.setting({ coverHidden: on }), 'For screens that others can see.'),
    choice('Cover it when idle', String(state.settings.coverMinutes), coverTimes.map((minutes) => [String(minutes), minutes ? `After ${minutes} min` : 'Never']),
      (value) => act.setting({ coverMinutes: Number(value) })));
}

function delivery(state, act) {
  const { delivery: setting } = state.status;
  return part('Delivery',
    choice('Direct messages travel', setting, Object.entries(deliveries).map(([id, [name]]) => [id, name]), act.setDelivery,
      `${deliveries[setting][1]} This holds until your node ends.`));
}

function groups(state, act) {
  return part('Groups', h('div', { mounted: () => act.inviters() },
    choice('Who may add you', state.dialog.inviters ?? '', [['accepted', 'Everyone you accepted'], ['verified', 'Only people you verified'], ['nobody', 'Nobody: ask me']], act.inviters,
      'All other invitations wait until you join or decline. The others are not told.')));
}

function passphrase(state, act) {
  const has = state.status.passphrase;
  const { typed = '' } = state.dialog;
  const input = (name, words, fill, more) => field(words, h('input', { type: 'password', name, required: true, autocomplete: fill, ...more }));
  const isShort = typed.length > 0 && typed.length < shortest;
  return part('Passphrase',
    h('p', { class: 'muted' }, has ? 'Your history is sealed under a passphrase. Locking removes the keys from memory until you type it.' : 'Without a passphrase, anyone who has this machine can read your history.', ' Nobody can restore a passphrase: without it your messages are lost. Four or more words are good.'),
    state.connection === 'open' && h('form', { key: has ? 'change' : 'set', on: { submit: (event) => submitting(event, act, async (form) => {
      const removes = event.submitter?.value === 'remove';
      if (!removes && form.next.value !== form.again.value) throw new Error('The two are not the same. Type the new passphrase again.');
      if (removes) await act.removePassphrase(form.current.value);
      else if (has) await act.changePassphrase(form.current.value, form.next.value);
      else await act.setPassphrase(form.next.value);
      form.reset();
      act.changeDialog({ typed: '' });
      act.say(removes ? 'Your passphrase is removed.' : has ? 'Your passphrase is changed.' : 'Your passphrase is set.');
      return true;
    }) } },
    has && input('current', 'Current passphrase', 'current-password'),
    input('next', has ? 'New passphrase' : 'Passphrase', 'new-password', { on: { input: (event) => act.changeDialog({ typed: event.target.value }) }, 'aria-describedby': 'short' }),
    h('p', { class: 'field-hint', id: 'short', role: 'status' }, isShort && 'That is short: whoever copies your data can guess it.'),
    input('again', 'Once more', 'new-password'),
    h('div', { class: 'details-row' },
      button(has ? 'Change' : 'Set a passphrase', null, { type: 'submit', disabled: state.dialog.busy }),
      has && h('button', { type: 'submit', class: 'button danger-quiet', value: 'remove', formnovalidate: true, disabled: state.dialog.busy }, 'Remove'),
      has && button('Lock now', () => act.lock(), { tone: 'quiet' }))));
}

function identity(state, act) {
  return part('Identity',
    state.status.revoked ? h('p', { class: 'error' }, 'It is revoked: nothing is sent under it, and nothing is accepted for it.') : [
      h('p', { class: 'muted' }, 'Replace it if someone may have your keys: your contacts follow to the new one. Revoke it to shut this identity down permanently.'),
      h('div', { class: 'details-row' }, button('Replace', act.confirmRotation, { tone: 'quiet' }), button('Revoke', act.confirmRevocation, { tone: 'danger-quiet' })),
    ]);
}

function about(state, act) {
  const { version, carried, outbox, mediaBytes } = state.status;
  return part('Your node',
    h('dl', { class: 'facts' },
      ...[['Version', version], ['Waiting to be delivered', outbox], ['Carried for others', carried], ['Files kept', size(mediaBytes)]]
        .map(([name, value]) => h('div', { key: name }, h('dt', null, name), said('dd', null, value)))),
    h('div', { class: 'details-row' }, button('Show the mesh', () => act.dialog({ kind: 'mesh', back: { kind: 'settings' } }), { tone: 'quiet' })));
}

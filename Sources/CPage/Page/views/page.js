// The whole page from the state.

import { h } from './dom.js';
import { conversationPane } from './conversation.js';
import { confirmation } from './dialogs.js';
import { coverGate, foreignGate, lockGate, refusedGate, startingGate, welcome } from './gates.js';
import { conversationList } from './list.js';
import { addDialog, renameDialog } from './members.js';
import { newDialog } from './new.js';
import { picker } from './picker.js';
import { pollForm } from './poll.js';
import { meshDialog } from './mesh.js';
import { settingsDialog } from './settings.js';
import { deleteDialog, deliveriesDialog, editsDialog, exportDialog, imageDialog } from './small.js';

const dialogs = {
  new: newDialog, settings: settingsDialog, mesh: meshDialog, poll: pollForm, edits: editsDialog, deliveries: deliveriesDialog, delete: deleteDialog,
  image: imageDialog, add: addDialog, rename: renameDialog, export: exportDialog, confirm: confirmation,
};

/** The tree of the page. */
export function page(state, act) {
  if (state.phase === 'refused') return refusedGate(state.gate, act);
  if (state.phase === 'foreign') return foreignGate();
  if (!state.status || state.phase === 'starting') return startingGate(state);
  // A passphrase is asked for by a connection alone that is proved.
  if (state.status.locked) return state.connection === 'open' ? lockGate(state, act) : startingGate(state);
  if (state.covered) return coverGate(act);
  if (state.phase === 'welcome') return welcome(state, act);
  return h('div', {
    class: `app ${state.open ? 'has-open' : ''} ${state.dropping ? 'dropping' : ''}`, key: 'app',
    on: { dragover: (event) => act.drags(event), dragleave: (event) => act.dragsOut(event), drop: (event) => act.drops(event), click: (event) => act.clicksAway(event) },
  },
  h('a', { class: 'skip', href: '#text', on: { click: (event) => { event.preventDefault(); document.querySelector('#text, .row')?.focus(); } } }, 'Go to the message field'),
  conversationList(state, act),
  conversationPane(state, act),
  picker(state, act),
  state.dropping && state.open && h('div', { class: 'drop', 'aria-hidden': 'true' }, 'Drop files to send them'),
  state.dialog && dialogs[state.dialog.kind](state, act),
  h('div', { class: 'notes', role: 'status', 'aria-live': 'polite' }, state.notes.map((note) => h('p', { class: `note ${note.tone ?? ''}`, key: note.id }, note.text))));
}

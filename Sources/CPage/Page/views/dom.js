// Draws trees of plain values into the document and changes only what differs from the last drawing.
// Every text of a person ends in text nodes and attribute values; nothing here reads markup.

import { extras, shapes } from './icons.js';

const svgNamespace = 'http://www.w3.org/2000/svg';
const properties = new Set(['value', 'checked', 'disabled', 'indeterminate', 'open', 'hidden']);
const handlers = new WeakMap();
/** Hooks of elements that the drawing made; they run when all of it is in the document. */
let fresh = [];

/** A node of a tree: `attributes` may hold `key`, `on: {type: handler}`, `style: {name: value}`, and the
 *  hooks `mounted(element)` and `removed(element)`. Children are nodes, texts, lists of them, or nothing. */
export function h(tag, attributes, ...children) {
  const given = attributes ?? {};
  return { tag, key: given.key, attributes: given, children: flat(children, []), element: null };
}

/** A node that is redrawn only when one of `reasons` has another value than at the last drawing. */
export function memo(key, reasons, make) {
  return { key, reasons, make, made: null, element: null };
}

/** Brings what `container` shows to what `tree` says. */
export function draw(container, tree) {
  const list = flat([tree], []);
  change(container, container.drawn ?? clear(container), list, false);
  container.drawn = list;
  const hooks = fresh;
  fresh = [];
  for (const hook of hooks) hook();
}

/** An icon; it says nothing to screen readers. */
export function icon(name, className = 'icon') {
  return h('svg', { class: className, viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: shapes[name], ...extras[name] }));
}

function clear(container) {
  container.replaceChildren();
  return [];
}

function flat(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) flat(child, into);
    // Nothing keeps its place too, so that what follows it is matched with what it was.
    else if (child === null || child === undefined || typeof child === 'boolean') into.push({ text: '', element: null });
    else into.push(typeof child === 'object' ? child : { text: String(child), element: null });
  }
  return into;
}

function same(old, next) {
  if (old.text !== undefined || next.text !== undefined) return old.text !== undefined && next.text !== undefined;
  return !old.make === !next.make && (Boolean(next.make) || old.tag === next.tag);
}

function body(node) {
  return node.make ? node.made : node;
}

function change(parent, old, next, isSVG) {
  const left = new Set(old);
  const byKey = new Map();
  for (const node of old) if (node.key !== undefined) byKey.set(node.key, node);
  const unnamed = old.filter((node) => node.key === undefined);
  let place = 0;
  for (const node of next) {
    const match = node.key !== undefined ? byKey.get(node.key) : unnamed[place++];
    if (match && left.has(match) && same(match, node)) {
      left.delete(match);
      update(match, node, isSVG);
    } else {
      create(node, isSVG);
    }
  }
  for (const node of left) {
    unmount(node);
    node.element.remove();
  }
  let at = parent.firstChild;
  for (const node of next) {
    if (at === node.element) at = at.nextSibling;
    else parent.insertBefore(node.element, at);
  }
}

function create(node, isSVG) {
  if (node.text !== undefined) {
    node.element = document.createTextNode(node.text);
    return;
  }
  if (node.make) {
    node.made = node.make();
    create(node.made, isSVG);
    node.element = node.made.element;
    return;
  }
  const inSVG = isSVG || node.tag === 'svg';
  node.element = inSVG ? document.createElementNS(svgNamespace, node.tag) : document.createElement(node.tag);
  change(node.element, [], node.children, inSVG);
  setAll(node.element, {}, node.attributes);
  const { mounted } = node.attributes;
  if (mounted) fresh.push(() => mounted(node.element));
}

function update(old, next, isSVG) {
  next.element = old.element;
  if (next.text !== undefined) {
    if (old.text !== next.text) next.element.data = next.text;
    return;
  }
  if (next.make) {
    next.made = old.made;
    if (next.reasons.every((reason, index) => Object.is(reason, old.reasons[index]))) return;
    const made = next.make();
    if (made.tag === old.made.tag) {
      update(old.made, made, isSVG);
    } else {
      create(made, isSVG);
      old.element.replaceWith(made.element);
      unmount(old);
    }
    next.made = made;
    next.element = made.element;
    return;
  }
  const inSVG = isSVG || next.tag === 'svg';
  change(next.element, old.children, next.children, inSVG);
  setAll(next.element, old.attributes, next.attributes);
}

function unmount(node) {
  if (node.text !== undefined) return;
  const real = body(node);
  real.attributes.removed?.(real.element);
  for (const child of real.children) unmount(child);
}

function setAll(element, old, next) {
  for (const name of Object.keys(old)) if (!(name in next)) set(element, name, old[name], undefined);
  for (const name of Object.keys(next)) if (old[name] !== next[name] || name === 'value') {
    set(element, name, old[name], next[name]);
  }
}

function set(element, name, old, value) {
  if (name === 'key' || name === 'mounted' || name === 'removed') return;
  if (name === 'on') return listen(element, value ?? {});
  if (name === 'style') {
    for (const part of Object.keys(old ?? {})) if (!value || !(part in value)) element.style.removeProperty(part);
    for (const part of Object.keys(value ?? {})) element.style.setProperty(part, String(value[part]));
  } else if (properties.has(name) && element.namespaceURI !== svgNamespace) {
    const wanted = value ?? (name === 'value' ? '' : false);
    if (element[name] !== wanted) element[name] = wanted;
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

function listen(element, wanted) {
  let present = handlers.get(element);
  if (!present) handlers.set(element, present = {});
  for (const type of Object.keys(wanted)) {
    if (!(type in present)) element.addEventListener(type, (event) => handlers.get(element)[type]?.(event));
  }
  for (const type of Object.keys(present)) if (!(type in wanted)) present[type] = undefined;
  Object.assign(present, wanted);
}

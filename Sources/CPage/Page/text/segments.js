// Texts cut into pieces: mentions, links and what a search found. Offsets from the node count bytes of UTF-8.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Links are shown as text that can be copied; a page that opens others' links would tell the world of its user. */
const link = /\bhttps?:\/\/[^\s<>"']+/g;

/** Cuts a text at places `{start, count, kind, …}` in bytes; returns `{text, kind?}` in order. */
export function cut(text, places) {
  const sorted = [...places].sort((a, b) => a.start - b.start);
  if (!sorted.length) return withLinks(text);
  const bytes = encoder.encode(text);
  const pieces = [];
  let at = 0;
  for (const place of sorted) {
    if (place.start < at || place.start + place.count > bytes.length) continue;
    if (place.start > at) pieces.push(...withLinks(decoder.decode(bytes.subarray(at, place.start))));
    pieces.push({ ...place, text: decoder.decode(bytes.subarray(place.start, place.start + place.count)) });
    at = place.start + place.count;
  }
  if (at < bytes.length) pieces.push(...withLinks(decoder.decode(bytes.subarray(at))));
  return pieces;
}

function withLinks(text) {
  const pieces = [];
  let at = 0;
  for (const found of text.matchAll(link)) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index) });
    pieces.push({ text: found[0], kind: 'link' });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** The name that is being typed after an `@` before the caret: `{start, query}`; null for none. */
export function mentionAt(text, caret) {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf('@');
  if (start < 0 || (start > 0 && !/\s/.test(before[start - 1]))) return null;
  const query = before.slice(start + 1);
  return query.length > 32 || /[\n@]/.test(query) ? null : { start, query };
}

/** Digits in groups of five. */
export function groups(digits) {
  return (digits.replace(/\s/g, '').match(/.{1,5}/g) ?? []).join(' ');
}

/** The first letter of a name, for a picture without one. */
export function initial(name) {
  const first = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name.trim())][0];
  return (first?.segment ?? '?').toLocaleUpperCase();
}

const hues = ['red', 'orange', 'green', 'teal', 'blue', 'purple', 'pink'];

/** A colour that stays with an id. */
export function hueOf(id) {
  return hues[parseInt(id.slice(0, 6), 16) % hues.length] ?? 'teal';
}

// Times, spans and sizes as people read them.

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayInWeek = new Intl.DateTimeFormat(undefined, { weekday: 'long' });
const dayInYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const dayLength = 86_400_000;

/** `09:41`. */
export function timeOfDay(text) {
  return clock.format(new Date(text));
}

/** Day, month, year and time. */
export function fullTime(text) {
  return whole.format(new Date(text));
}

/** A value that is the same for all times of one day. */
export function dayOf(text) {
  return new Date(text).toDateString();
}

/** `Today`, `Yesterday`, a day of the week, or a date. */
export function dayName(text, now) {
  const time = new Date(text);
  const age = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / dayLength);
  if (age === 0) return 'Today';
  if (age === 1) return 'Yesterday';
  if (age > 0 && age < 7) return dayInWeek.format(time);
  return (new Date(now).getFullYear() === time.getFullYear() ? dayInYear : day).format(time);
}

/** The time of a last message in a list: the clock today, else the day. */
export function shortTime(text, now) {
  const name = dayName(text, now);
  return name === 'Today' ? timeOfDay(text) : name;
}

/** `1:05`. */
export function playTime(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`;
}

const units = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];

/** The two largest units of what is left of a time: `1 h 12 min`. */
export function remaining(seconds) {
  let rest = Math.max(0, Math.floor(seconds));
  const parts = [];
  for (const [name, size] of units) {
    if (rest >= size && parts.length < 2) parts.push(`${Math.floor(rest / size)} ${name}`);
    rest %= size;
  }
  return parts.join(' ') || '0 s';
}

/** `5 min ago`: the age of a time, in its largest unit. */
export function ago(text, now) {
  const seconds = Math.max(0, (now - Date.parse(text)) / 1_000);
  const [name, size] = units.find(([, size]) => seconds >= size) ?? units.at(-1);
  if (size === 1) return 'just now';
  const count = Math.floor(seconds / size);
  return name === 'd' ? `${count} ${count === 1 ? 'day' : 'days'} ago` : `${count} ${name} ago`;
}

/** `5 minutes`; for durations one can choose. */
export function span(seconds) {
  const names = [['week', 604_800], ['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];
  for (const [name, size] of names) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${name}${seconds === size ? '' : 's'}`;
  }
  return remaining(seconds);
}

/** `1.4 MB`. */
export function size(bytes) {
  if (bytes < 1_000) return `${bytes} bytes`;
  const names = ['kB', 'MB', 'GB'];
  let value = bytes / 1_000;
  let index = 0;
  while (value >= 999.5 && index < names.length - 1) {
    value /= 1_000;
    index += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${names[index]}`;
}

/** A round trip in milliseconds; nothing for an unknown one. Units: seconds. */
export function milliseconds(seconds) {
  const span = seconds * 1_000;
  return seconds === undefined ? '' : `${span.toFixed(span < 10 ? 2 : span < 100 ? 1 : 0)} ms`;
}

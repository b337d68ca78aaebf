// The state of the page is one value. Actions are the only way to another; a pure function says to which.

/** A store: `state`, `dispatch(action)`, and `watch(told)`, whose function is called after every change. */
export function makeStore(reduce, initial) {
  let state = initial;
  const watchers = new Set();
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      const before = state;
      state = next;
      for (const told of watchers) told(state, before, action);
    },
    watch(told) {
      watchers.add(told);
      return () => watchers.delete(told);
    },
  };
}

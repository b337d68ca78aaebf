#ifndef EARSHOT_CEDIT_SHIM_H
#define EARSHOT_CEDIT_SHIM_H
#include <histedit.h>
#include <stdio.h>
#include <wchar.h>

// What is set by functions that take any number of arguments, which Swift does not call.

/// Takes characters from a function, which may wait for other things, too; it finds its owner again.
static inline void earshot_edit_read_by(EditLine *edit, int (*next)(EditLine *, wchar_t *), void *owner) {
    el_wset(edit, EL_CLIENTDATA, owner);
    el_wset(edit, EL_GETCFN, next);
}

static inline void *earshot_edit_owner(EditLine *edit) {
    void *owner = NULL;
    el_wget(edit, EL_CLIENTDATA, &owner);
    return owner;
}

/// Sets the keys: those of Emacs, the tabulator for a function of ours, and no key that takes the next one as it is.
static inline void earshot_edit_set_keys(EditLine *edit, unsigned char (*complete)(EditLine *, wint_t)) {
    el_wset(edit, EL_EDITOR, L"emacs");
    el_wset(edit, EL_ADDFN, L"earshot-complete", L"Complete a word", complete);
    el_wset(edit, EL_BIND, L"^I", L"earshot-complete", NULL);
    el_wset(edit, EL_BIND, L"^V", L"ed-unassigned", NULL);
    el_wset(edit, EL_BIND, L"^R", L"em-inc-search-prev", NULL);
    el_wset(edit, EL_BIND, L"\\e[1;5D", L"ed-prev-word", NULL);
    el_wset(edit, EL_BIND, L"\\e[1;5C", L"em-next-word", NULL);
    el_wset(edit, EL_BIND, L"\\e[3~", L"ed-delete-next-char", NULL);
}

/// Has the terminal give every key to us, between two lines as well as in one.
static inline void earshot_edit_set_raw(EditLine *edit) {
    el_wset(edit, EL_SETTY, L"-d", L"-isig", L"-ixon", NULL);
    el_wset(edit, EL_SETTY, L"-x", L"-isig", L"-ixon", L"-icanon", L"-echo", NULL);
}

/// Remembers so many lines, one that comes again only once.
static inline void earshot_edit_set_history(EditLine *edit, HistoryW *history, int count) {
    HistEventW event;
    history_w(history, &event, H_SETSIZE, count);
    history_w(history, &event, H_SETUNIQUE, 1);
    el_wset(edit, EL_HIST, history_w, history);
}

static inline void earshot_edit_remember(HistoryW *history, const wchar_t *line) {
    HistEventW event;
    history_w(history, &event, H_ENTER, line);
}
#endif

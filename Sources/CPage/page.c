// The page's files, put into the program by the compiler, which also notes them as what this file is made of: a page that
// is edited is compiled anew. For one more file, add its bytes here and a line to the table below.
#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"
#define PNG "image/png"
#define MANIFEST "application/manifest+json"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char actions_conversing_js[] = {
#embed "Page/actions/conversing.js"
};
static const unsigned char actions_deciding_js[] = {
#embed "Page/actions/deciding.js"
};
static const unsigned char actions_drafts_js[] = {
#embed "Page/actions/drafts.js"
};
static const unsigned char actions_joining_js[] = {
#embed "Page/actions/joining.js"
};
static const unsigned char actions_loading_js[] = {
#embed "Page/actions/loading.js"
};
static const unsigned char actions_meeting_js[] = {
#embed "Page/actions/meeting.js"
};
static const unsigned char actions_moving_js[] = {
#embed "Page/actions/moving.js"
};
static const unsigned char actions_noticing_js[] = {
#embed "Page/actions/noticing.js"
};
static const unsigned char actions_recordings_js[] = {
#embed "Page/actions/recordings.js"
};
static const unsigned char icons_earshot_svg[] = {
#embed "Page/icons/earshot.svg"
};
static const unsigned char main_js[] = {
#embed "Page/main.js"
};
static const unsigned char state_composing_js[] = {
#embed "Page/state/composing.js"
};
static const unsigned char state_events_js[] = {
#embed "Page/state/events.js"
};
static const unsigned char state_initial_js[] = {
#embed "Page/state/initial.js"
};
static const unsigned char state_reduce_js[] = {
#embed "Page/state/reduce.js"
};
static const unsigned char state_selectors_js[] = {
#embed "Page/state/selectors.js"
};
static const unsigned char state_store_js[] = {
#embed "Page/state/store.js"
};
static const unsigned char state_timelines_js[] = {
#embed "Page/state/timelines.js"
};
static const unsigned char styles_base_css[] = {
#embed "Page/styles/base.css"
};
static const unsigned char styles_composer_css[] = {
#embed "Page/styles/composer.css"
};
static const unsigned char styles_dialogs_css[] = {
#embed "Page/styles/dialogs.css"
};
static const unsigned char styles_layout_css[] = {
#embed "Page/styles/layout.css"
};
static const unsigned char styles_media_css[] = {
#embed "Page/styles/media.css"
};
static const unsigned char styles_messages_css[] = {
#embed "Page/styles/messages.css"
};
static const unsigned char styles_tokens_css[] = {
#embed "Page/styles/tokens.css"
};
static const unsigned char text_emoji_js[] = {
#embed "Page/text/emoji.js"
};
static const unsigned char text_segments_js[] = {
#embed "Page/text/segments.js"
};
static const unsigned char text_time_js[] = {
#embed "Page/text/time.js"
};
static const unsigned char text_words_js[] = {
#embed "Page/text/words.js"
};
static const unsigned char views_bubble_js[] = {
#embed "Page/views/bubble.js"
};
static const unsigned char views_comparison_js[] = {
#embed "Page/views/comparison.js"
};
static const unsigned char views_composer_js[] = {
#embed "Page/views/composer.js"
};
static const unsigned char views_conversation_js[] = {
#embed "Page/views/conversation.js"
};
static const unsigned char views_details_js[] = {
#embed "Page/views/details.js"
};
static const unsigned char views_dialogs_js[] = {
#embed "Page/views/dialogs.js"
};
static const unsigned char views_dom_js[] = {
#embed "Page/views/dom.js"
};
static const unsigned char views_field_js[] = {
#embed "Page/views/field.js"
};
static const unsigned char views_gates_js[] = {
#embed "Page/views/gates.js"
};
static const unsigned char views_hubs_js[] = {
#embed "Page/views/hubs.js"
};
static const unsigned char views_mesh_js[] = {
#embed "Page/views/mesh.js"
};
static const unsigned char views_icons_js[] = {
#embed "Page/views/icons.js"
};
static const unsigned char views_list_js[] = {
#embed "Page/views/list.js"
};
static const unsigned char views_media_js[] = {
#embed "Page/views/media.js"
};
static const unsigned char views_members_js[] = {
#embed "Page/views/members.js"
};
static const unsigned char views_menu_js[] = {
#embed "Page/views/menu.js"
};
static const unsigned char views_new_js[] = {
#embed "Page/views/new.js"
};
static const unsigned char views_page_js[] = {
#embed "Page/views/page.js"
};
static const unsigned char views_parts_js[] = {
#embed "Page/views/parts.js"
};
static const unsigned char views_picker_js[] = {
#embed "Page/views/picker.js"
};
static const unsigned char views_poll_js[] = {
#embed "Page/views/poll.js"
};
static const unsigned char views_qr_js[] = {
#embed "Page/views/qr.js"
};
static const unsigned char views_recorder_js[] = {
#embed "Page/views/recorder.js"
};
static const unsigned char views_row_js[] = {
#embed "Page/views/row.js"
};
static const unsigned char views_scroll_js[] = {
#embed "Page/views/scroll.js"
};
static const unsigned char views_search_js[] = {
#embed "Page/views/search.js"
};
static const unsigned char views_settings_js[] = {
#embed "Page/views/settings.js"
};
static const unsigned char views_small_js[] = {
#embed "Page/views/small.js"
};
static const unsigned char views_timeline_js[] = {
#embed "Page/views/timeline.js"
};
static const unsigned char views_voice_js[] = {
#embed "Page/views/voice.js"
};
static const unsigned char wire_connection_js[] = {
#embed "Page/wire/connection.js"
};
static const unsigned char wire_error_js[] = {
#embed "Page/wire/error.js"
};
static const unsigned char wire_proof_js[] = {
#embed "Page/wire/proof.js"
};
static const unsigned char wire_files_js[] = {
#embed "Page/wire/files.js"
};
static const unsigned char wire_session_js[] = {
#embed "Page/wire/session.js"
};

static const struct earshot_page_file files[] = {
    {"/", HTML, index_html, sizeof index_html},
    {"/actions/conversing.js", SCRIPT, actions_conversing_js, sizeof actions_conversing_js},
    {"/actions/deciding.js", SCRIPT, actions_deciding_js, sizeof actions_deciding_js},
    {"/actions/drafts.js", SCRIPT, actions_drafts_js, sizeof actions_drafts_js},
    {"/actions/joining.js", SCRIPT, actions_joining_js, sizeof actions_joining_js},
    {"/actions/loading.js", SCRIPT, actions_loading_js, sizeof actions_loading_js},
    {"/actions/meeting.js", SCRIPT, actions_meeting_js, sizeof actions_meeting_js},
    {"/actions/moving.js", SCRIPT, actions_moving_js, sizeof actions_moving_js},
    {"/actions/noticing.js", SCRIPT, actions_noticing_js, sizeof actions_noticing_js},
    {"/actions/recordings.js", SCRIPT, actions_recordings_js, sizeof actions_recordings_js},
    {"/icons/earshot.svg", SVG, icons_earshot_svg, sizeof icons_earshot_svg},
    {"/main.js", SCRIPT, main_js, sizeof main_js},
    {"/state/composing.js", SCRIPT, state_composing_js, sizeof state_composing_js},
    {"/state/events.js", SCRIPT, state_events_js, sizeof state_events_js},
    {"/state/initial.js", SCRIPT, state_initial_js, sizeof state_initial_js},
    {"/state/reduce.js", SCRIPT, state_reduce_js, sizeof state_reduce_js},
    {"/state/selectors.js", SCRIPT, state_selectors_js, sizeof state_selectors_js},
    {"/state/store.js", SCRIPT, state_store_js, sizeof state_store_js},
    {"/state/timelines.js", SCRIPT, state_timelines_js, sizeof state_timelines_js},
    {"/styles/base.css", STYLE, styles_base_css, sizeof styles_base_css},
    {"/styles/composer.css", STYLE, styles_composer_css, sizeof styles_composer_css},
    {"/styles/dialogs.css", STYLE, styles_dialogs_css, sizeof styles_dialogs_css},
    {"/styles/layout.css", STYLE, styles_layout_css, sizeof styles_layout_css},
    {"/styles/media.css", STYLE, styles_media_css, sizeof styles_media_css},
    {"/styles/messages.css", STYLE, styles_messages_css, sizeof styles_messages_css},
    {"/styles/tokens.css", STYLE, styles_tokens_css, sizeof styles_tokens_css},
    {"/text/emoji.js", SCRIPT, text_emoji_js, sizeof text_emoji_js},
    {"/text/segments.js", SCRIPT, text_segments_js, sizeof text_segments_js},
    {"/text/time.js", SCRIPT, text_time_js, sizeof text_time_js},
    {"/text/words.js", SCRIPT, text_words_js, sizeof text_words_js},
    {"/views/bubble.js", SCRIPT, views_bubble_js, sizeof views_bubble_js},
    {"/views/comparison.js", SCRIPT, views_comparison_js, sizeof views_comparison_js},
    {"/views/composer.js", SCRIPT, views_composer_js, sizeof views_composer_js},
    {"/views/conversation.js", SCRIPT, views_conversation_js, sizeof views_conversation_js},
    {"/views/details.js", SCRIPT, views_details_js, sizeof views_details_js},
    {"/views/dialogs.js", SCRIPT, views_dialogs_js, sizeof views_dialogs_js},
    {"/views/dom.js", SCRIPT, views_dom_js, sizeof views_dom_js},
    {"/views/field.js", SCRIPT, views_field_js, sizeof views_field_js},
    {"/views/gates.js", SCRIPT, views_gates_js, sizeof views_gates_js},
    {"/views/hubs.js", SCRIPT, views_hubs_js, sizeof views_hubs_js},
    {"/views/mesh.js", SCRIPT, views_mesh_js, sizeof views_mesh_js},
    {"/views/icons.js", SCRIPT, views_icons_js, sizeof views_icons_js},
    {"/views/list.js", SCRIPT, views_list_js, sizeof views_list_js},
    {"/views/media.js", SCRIPT, views_media_js, sizeof views_media_js},
    {"/views/members.js", SCRIPT, views_members_js, sizeof views_members_js},
    {"/views/menu.js", SCRIPT, views_menu_js, sizeof views_menu_js},
    {"/views/new.js", SCRIPT, views_new_js, sizeof views_new_js},
    {"/views/page.js", SCRIPT, views_page_js, sizeof views_page_js},
    {"/views/parts.js", SCRIPT, views_parts_js, sizeof views_parts_js},
    {"/views/picker.js", SCRIPT, views_picker_js, sizeof views_picker_js},
    {"/views/poll.js", SCRIPT, views_poll_js, sizeof views_poll_js},
    {"/views/qr.js", SCRIPT, views_qr_js, sizeof views_qr_js},
    {"/views/recorder.js", SCRIPT, views_recorder_js, sizeof views_recorder_js},
    {"/views/row.js", SCRIPT, views_row_js, sizeof views_row_js},
    {"/views/scroll.js", SCRIPT, views_scroll_js, sizeof views_scroll_js},
    {"/views/search.js", SCRIPT, views_search_js, sizeof views_search_js},
    {"/views/settings.js", SCRIPT, views_settings_js, sizeof views_settings_js},
    {"/views/small.js", SCRIPT, views_small_js, sizeof views_small_js},
    {"/views/timeline.js", SCRIPT, views_timeline_js, sizeof views_timeline_js},
    {"/views/voice.js", SCRIPT, views_voice_js, sizeof views_voice_js},
    {"/wire/connection.js", SCRIPT, wire_connection_js, sizeof wire_connection_js},
    {"/wire/error.js", SCRIPT, wire_error_js, sizeof wire_error_js},
    {"/wire/files.js", SCRIPT, wire_files_js, sizeof wire_files_js},
    {"/wire/proof.js", SCRIPT, wire_proof_js, sizeof wire_proof_js},
    {"/wire/session.js", SCRIPT, wire_session_js, sizeof wire_session_js},
};

size_t earshot_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct earshot_page_file earshot_page_file_at(size_t index) { return files[index]; }

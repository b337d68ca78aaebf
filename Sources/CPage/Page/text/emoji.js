// Emoji by group: each followed by the words it is found by.

/** The six that are offered first as reactions. */
export const quickSet = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

const table = {
  Smileys: [
    '😀 grinning face happy smile', '😃 smiling face open mouth', '😄 smiling face open mouth and smiling eyes', '😁 grinning face smiling eyes',
    '😆 smiling face open mouth and tightly closed eyes', '😅 smiling face open mouth and cold sweat', '😂 face tears of joy laugh lol',
    '🙂 slightly smiling face happy smile', '🙃 upside down face', '😉 winking face', '😊 smiling face smiling eyes happy', '😇 smiling face halo',
    '🥰 smiling face smiling eyes and three hearts', '😍 smiling face heart shaped eyes', '🤩 grinning face star eyes', '😘 face throwing a kiss',
    '😋 face savouring delicious food', '😛 face stuck out tongue', '😜 face stuck out tongue and winking eye',
    '🤪 grinning face one large and one small eye', '🤗 hugging face', '🤭 smiling face smiling eyes and hand covering mouth',
    '🤫 face finger covering closed lips', '🤔 thinking face', '🤐 zipper mouth face', '🤨 face one eyebrow raised', '😐 neutral face',
    '😑 expressionless face', '😶 face without mouth', '😏 smirking face', '😒 unamused face', '🙄 face rolling eyes', '😬 grimacing face',
    '😌 relieved face', '😔 pensive face', '😪 sleepy face', '😴 sleeping face', '😷 face medical mask', '🤒 face thermometer', '🤕 face head bandage',
    '🤢 nauseated face', '🤮 face open mouth vomiting', '🥵 overheated face', '🥶 freezing face', '🥴 face uneven eyes and wavy mouth', '😵 dizzy face',
    '🤯 shocked face exploding head', '🤠 face cowboy hat', '🥳 face party horn and party hat party', '😎 smiling face sunglasses', '🤓 nerd face',
    '🧐 face monocle', '😕 confused face', '😟 worried face', '🙁 slightly frowning face', '😮 face open mouth wow surprised', '😯 hushed face',
    '😲 astonished face', '😳 flushed face', '🥺 face pleading eyes', '😦 frowning face open mouth', '😨 fearful face', '😰 face open mouth and cold sweat',
    '😥 disappointed but relieved face', '😢 crying face sad cry', '😭 loudly crying face', '😱 face screaming in fear', '😖 confounded face',
    '😣 persevering face', '😞 disappointed face', '😓 face cold sweat', '😩 weary face', '😫 tired face', '🥱 yawning face', '😤 face look of triumph',
    '😡 pouting face angry mad', '😠 angry face', '😈 smiling face horns', '💀 skull', '💩 pile of poo', '👻 ghost', '👽 extraterrestrial alien',
    '🤖 robot face', '😺 smiling cat face open mouth', '🙈 see no evil monkey', '🙉 hear no evil monkey', '🙊 speak no evil monkey',
  ],
  People: [
    '👍 thumbs up sign yes good agree like', '👎 thumbs down sign no bad disagree', '👌 ok hand sign', '✌️ victory hand',
    '🤞 hand index and middle fingers crossed', '🤟 i love you hand sign', '🤘 sign of the horns', '👈 left pointing backhand index',
    '👉 right pointing backhand index', '👆 up pointing backhand index', '👇 down pointing backhand index', '☝️ up pointing index', '✋ raised hand',
    '🤚 raised back of hand', '👋 waving hand sign', '🤙 call me hand', '💪 flexed biceps', '🙏 person folded hands thanks please pray',
    '👏 clapping hands sign applause clap', '🙌 person raising both hands in celebration', '👐 open hands sign', '🤲 palms up together', '🤝 handshake',
    '✊ raised fist', '👊 fisted hand sign', '🤛 left facing fist', '🤜 right facing fist', '👀 eyes look see', '👁️ eye', '👂 ear', '👃 nose', '👄 mouth',
    '🧠 brain', '🦷 tooth', '🦴 bone', '👶 baby', '🧒 child', '👦 boy', '👧 girl', '🧑 adult', '👨 man', '👩 woman', '🧓 older adult', '👴 older man',
    '👵 older woman', '🙍 person frowning', '🙋 happy person raising one hand', '🤷 shrug dunno', '🤦 face palm facepalm', '🙅 face no good gesture',
    '🙆 face ok gesture', '💁 information desk person', '🏃 runner', '🚶 pedestrian', '💃 dancer', '🕺 man dancing', '👫 man and woman holding hands',
    '👪 family',
  ],
  Hearts: [
    '❤️ heavy heart love', '🧡 orange heart', '💛 yellow heart', '💚 green heart', '💙 blue heart', '💜 purple heart', '🖤 black heart', '🤍 white heart',
    '🤎 brown heart', '💔 broken heart', '💕 two hearts', '💞 revolving hearts', '💓 beating heart', '💗 growing heart', '💖 sparkling heart',
    '💘 heart arrow', '💝 heart ribbon', '💯 hundred points symbol perfect', '💢 anger symbol', '💥 collision symbol', '💫 dizzy symbol',
    '💦 splashing sweat symbol', '💨 dash symbol', '💬 speech balloon', '💭 thought balloon', '💤 sleeping symbol',
  ],
  Nature: [
    '🐶 dog face', '🐱 cat face', '🐭 mouse face', '🐹 hamster face', '🐰 rabbit face', '🦊 fox face', '🐻 bear face', '🐼 panda face', '🐨 koala',
    '🐯 tiger face', '🦁 lion face', '🐮 cow face', '🐷 pig face', '🐸 frog face', '🐵 monkey face', '🐔 chicken', '🐧 penguin', '🐦 bird', '🦆 duck',
    '🦅 eagle', '🦉 owl', '🦇 bat', '🐺 wolf face', '🐴 horse face', '🦄 unicorn face', '🐝 honeybee', '🐛 bug', '🦋 butterfly', '🐌 snail', '🐞 lady beetle',
    '🐜 ant', '🐢 turtle', '🐍 snake', '🦎 lizard', '🐙 octopus', '🦀 crab', '🐟 fish', '🐬 dolphin', '🐳 spouting whale', '🦈 shark', '🐘 elephant',
    '🦒 giraffe face', '🐄 cow', '🐑 sheep', '🐐 goat', '🐓 rooster', '🦜 parrot', '🌵 cactus', '🌲 evergreen tree', '🌳 deciduous tree', '🌱 seedling',
    '🌿 herb', '🍀 four leaf clover', '🍁 maple leaf', '🍄 mushroom', '🌷 tulip', '🌹 rose', '🌻 sunflower', '🌸 cherry blossom', '🌼 blossom', '🌞 sun face',
    '🌝 full moon face', '🌍 earth globe europe africa', '🌙 crescent moon', '⭐ medium star', '🌟 glowing star', '⚡ high voltage sign', '🔥 fire hot',
    '🌈 rainbow', '☀️ sun rays', '☁️ cloud', '🌧️ cloud rain', '❄️ snowflake', '⛄ snowman without snow', '🌊 water wave',
  ],
  Food: [
    '🍎 red apple', '🍐 pear', '🍊 tangerine', '🍋 lemon', '🍌 banana', '🍉 watermelon', '🍇 grapes', '🍓 strawberry', '🍒 cherries', '🍑 peach', '🥭 mango',
    '🍍 pineapple', '🥥 coconut', '🥝 kiwifruit', '🍅 tomato', '🍆 aubergine', '🥑 avocado', '🥦 broccoli', '🥕 carrot', '🌽 ear of maize', '🥔 potato',
    '🍞 bread', '🥐 croissant', '🥨 pretzel', '🧀 cheese wedge', '🥚 egg', '🍳 cooking', '🥞 pancakes', '🥓 bacon', '🍗 poultry leg', '🍔 hamburger',
    '🍟 french fries', '🍕 slice of pizza', '🌭 hot dog', '🥪 sandwich', '🌮 taco', '🥗 green salad', '🍝 spaghetti', '🍜 steaming bowl', '🍲 pot of food',
    '🍣 sushi', '🍱 bento box', '🍚 cooked rice', '🍦 soft ice cream', '🍩 doughnut', '🍪 cookie', '🎂 birthday cake', '🍰 shortcake', '🍫 chocolate bar',
    '🍬 candy', '🍭 lollipop', '🍯 honey pot', '🥛 glass of milk', '☕ hot beverage', '🍵 teacup without handle', '🍺 beer mug', '🍻 clinking beer mugs',
    '🍷 wine glass', '🍸 cocktail glass', '🥂 clinking glasses',
  ],
  Travel: [
    '🚗 automobile', '🚕 taxi', '🚌 bus', '🚎 trolleybus', '🚓 police car', '🚑 ambulance help', '🚒 fire engine', '🚚 delivery truck', '🚜 tractor',
    '🚲 bicycle', '🛴 scooter', '🏍️ racing motorcycle', '🚂 steam locomotive', '🚆 train', '🚇 metro', '🚊 tram', '✈️ airplane', '🚀 rocket', '🚁 helicopter',
    '⛵ sailboat', '🚤 speedboat', '🚢 ship', '⚓️ anchor', '🚦 vertical traffic light', '🗺️ world map', '🏔️ snow capped mountain', '⛰️ mountain',
    '🌋 volcano', '🏕️ camping', '🏖️ beach umbrella', '🏝️ desert island', '🏠 house building', '🏡 house garden', '🏢 office building', '🏥 hospital',
    '🏦 bank', '🏨 hotel', '🏫 school', '🏭 factory', '🏰 european castle', '⛪ church', '🕌 mosque', '🕍 synagogue', '⛲ fountain', '⛺ tent', '🌁 foggy',
    '🌃 night stars', '🌅 sunrise', '🌆 cityscape at dusk', '🎡 ferris wheel', '🎢 roller coaster',
  ],
  Things: [
    '⚽ soccer ball', '🏀 basketball and hoop', '🏈 american football', '⚾ baseball', '🎾 tennis racquet and ball', '🏐 volleyball', '🏉 rugby football',
    '🎱 billiards', '🏓 table tennis paddle and ball', '🏸 badminton racquet and shuttlecock', '🥊 boxing glove', '⛳ flag in hole',
    '🎣 fishing pole and fish', '🎿 ski and ski boot', '🏂 snowboarder', '🏆 trophy', '🥇 first place medal', '🎮 video game', '🎲 game die', '🎯 direct hit',
    '🎳 bowling', '🎨 artist palette', '🎬 clapper board', '🎤 microphone', '🎧 headphone', '🎵 musical note', '🎶 multiple musical notes',
    '🎹 musical keyboard', '🥁 drum drumsticks', '🎸 guitar', '🎻 violin', '🎁 wrapped present', '🎈 balloon', '🎉 party popper party celebrate',
    '🎊 confetti ball', '📱 mobile phone', '💻 personal computer', '📷 camera', '📹 video camera', '📺 television', '📻 radio', '⏰ alarm clock',
    '⏳ hourglass flowing sand', '🔋 battery', '🔌 electric plug', '💡 electric light bulb', '🔦 electric torch', '🕯️ candle', '💰 money bag',
    '💳 credit card', '🔧 wrench', '🔨 hammer', '🔑 key', '🔒 lock', '🔓 open lock', '🚪 door', '🛏️ bed', '🛒 shopping trolley', '✉️ envelope', '📦 package',
    '📅 calendar', '📌 pushpin', '📍 round pushpin', '📎 paperclip', '✂️ scissors', '✏️ pencil', '📝 memo', '📚 books', '📖 open book',
    '🔍 left pointing magnifying glass',
  ],
  Signs: [
    '✅ heavy check mark done yes', '❌ cross mark no', '❓ question mark ornament', '❗ heavy exclamation mark symbol', '⚠️ warning sign',
    '🚫 no entry sign', '⛔ no entry', '♻️ universal recycling symbol', '✔️ heavy check mark', '➕ heavy plus sign', '➖ heavy minus sign',
    '➡️ rightwards arrow', '⬅️ leftwards arrow', '⬆️ upwards arrow', '⬇️ downwards arrow', '🔄 anticlockwise downwards and upwards open circle arrows',
    '🔔 bell', '🔕 bell cancellation stroke', '🔇 speaker cancellation stroke', '🔊 speaker three sound waves', '🆗 squared ok', '🆘 squared sos help',
    '🆕 squared new', '🆒 squared cool', '🔴 large red circle', '🟠 large orange circle', '🟡 large yellow circle', '🟢 large green circle',
    '🔵 large blue circle', '🟣 large purple circle', '⚫ medium black circle', '⚪ medium white circle', '🏁 chequered flag', '🚩 triangular flag on post',
    '🏳️ waving white flag', '🏴 waving black flag',
  ],
};

/** Groups of emoji: `{name, emoji: [{sign, words}]}`. */
export const emojiGroups = Object.entries(table).map(([name, entries]) => ({
  name,
  emoji: entries.map((entry) => {
    const space = entry.indexOf(' ');
    return { sign: entry.slice(0, space), words: entry.slice(space + 1) };
  }),
}));

/** The emoji whose words begin with every word of a query. */
export function findEmoji(query) {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ words }) => wanted.every((word) => words.split(' ').some((known) => known.startsWith(word)));
  return emojiGroups.flatMap(({ emoji }) => emoji.filter(fits));
}

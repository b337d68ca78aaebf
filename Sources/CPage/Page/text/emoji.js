// Emoji by group: each followed by the words it is found by, a comma after each.

/** The six that are offered first as reactions. */
export const quickSet = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

const table = {
  Smileys: `
😀 grinning happy smile,😃 smiling open mouth,😄 smiling open mouth eyes,😁 grinning smiling eyes,😆 smiling open mouth tightly closed eyes,
😅 smiling open mouth cold sweat,😂 tears joy laugh lol,🙂 slightly smiling happy smile,🙃 upside down,😉 winking,😊 smiling eyes happy,😇 smiling halo,
🥰 smiling eyes three hearts,😍 smiling heart shaped eyes,🤩 grinning star eyes,😘 throwing kiss,😋 savouring delicious food,😛 stuck out tongue,
😜 stuck out tongue winking eye,🤪 grinning one large small eye,🤗 hugging,🤭 smiling eyes hand covering mouth,🤫 finger covering closed lips,
🤔 thinking,🤐 zipper mouth,🤨 one eyebrow raised,😐 neutral,😑 expressionless,😶 without mouth,😏 smirking,😒 unamused,🙄 rolling eyes,😬 grimacing,
😌 relieved,😔 pensive,😪 sleepy,😴 sleeping,😷 medical mask,🤒 thermometer,🤕 head bandage,🤢 nauseated,🤮 open mouth vomiting,🥵 overheated,🥶 freezing,
🥴 uneven eyes wavy mouth,😵 dizzy,🤯 shocked exploding head,🤠 cowboy hat,🥳 party horn hat,😎 smiling sunglasses,🤓 nerd,🧐 monocle,😕 confused,
😟 worried,🙁 slightly frowning,😮 open mouth wow surprised,😯 hushed,😲 astonished,😳 flushed,🥺 pleading eyes,😦 frowning open mouth,😨 fearful,
😰 open mouth cold sweat,😥 disappointed but relieved,😢 crying sad cry,😭 loudly crying,😱 screaming fear,😖 confounded,😣 persevering,😞 disappointed,
😓 cold sweat,😩 weary,😫 tired,🥱 yawning,😤 look triumph,😡 pouting angry mad,😠 angry,😈 smiling horns,💀 skull,💩 pile poo,👻 ghost,
👽 extraterrestrial alien,🤖 robot,😺 smiling cat open mouth,🙈 see no evil monkey,🙉 hear no evil monkey,🙊 speak no evil monkey`,
  People: `
👍 thumbs up sign yes good agree like,👎 thumbs down sign no bad disagree,👌 ok hand sign,✌️ victory hand,🤞 hand index middle fingers crossed,
🤟 i love you hand sign,🤘 sign the horns,👈 left pointing backhand index,👉 right pointing backhand index,👆 up pointing backhand index,
👇 down pointing backhand index,☝️ up pointing index,✋ raised hand,🤚 raised back hand,👋 waving hand sign,🤙 call me hand,💪 flexed biceps,
🙏 person folded hands thanks please pray,👏 clapping hands sign applause clap,🙌 person raising both hands celebration,👐 open hands sign,
🤲 palms up together,🤝 handshake,✊ raised fist,👊 fisted hand sign,🤛 left facing fist,🤜 right facing fist,👀 eyes look see,👁️ eye,👂 ear,👃 nose,
👄 mouth,🧠 brain,🦷 tooth,🦴 bone,👶 baby,🧒 child,👦 boy,👧 girl,🧑 adult,👨 man,👩 woman,🧓 older adult,👴 older man,👵 older woman,🙍 person frowning,
🙋 happy person raising one hand,🤷 shrug dunno,🤦 face palm facepalm,🙅 face no good gesture,🙆 face ok gesture,💁 information desk person,🏃 runner,
🚶 pedestrian,💃 dancer,🕺 man dancing,👫 man woman holding hands,👪 family`,
  Hearts: `
❤️ heavy heart love,🧡 orange heart,💛 yellow heart,💚 green heart,💙 blue heart,💜 purple heart,🖤 black heart,🤍 white heart,🤎 brown heart,
💔 broken heart,💕 two hearts,💞 revolving hearts,💓 beating heart,💗 growing heart,💖 sparkling heart,💘 heart arrow,💝 heart ribbon,
💯 hundred points symbol perfect,💢 anger symbol,💥 collision symbol,💫 dizzy symbol,💦 splashing sweat symbol,💨 dash symbol,💬 speech balloon,
💭 thought balloon,💤 sleeping symbol`,
  Nature: `
🐶 dog face,🐱 cat face,🐭 mouse face,🐹 hamster face,🐰 rabbit face,🦊 fox face,🐻 bear face,🐼 panda face,🐨 koala,🐯 tiger face,🦁 lion face,🐮 cow face,
🐷 pig face,🐸 frog face,🐵 monkey face,🐔 chicken,🐧 penguin,🐦 bird,🦆 duck,🦅 eagle,🦉 owl,🦇 bat,🐺 wolf face,🐴 horse face,🦄 unicorn face,🐝 honeybee,
🐛 bug,🦋 butterfly,🐌 snail,🐞 lady beetle,🐜 ant,🐢 turtle,🐍 snake,🦎 lizard,🐙 octopus,🦀 crab,🐟 fish,🐬 dolphin,🐳 spouting whale,🦈 shark,🐘 elephant,
🦒 giraffe face,🐄 cow,🐑 sheep,🐐 goat,🐓 rooster,🦜 parrot,🌵 cactus,🌲 evergreen tree,🌳 deciduous tree,🌱 seedling,🌿 herb,🍀 four leaf clover,
🍁 maple leaf,🍄 mushroom,🌷 tulip,🌹 rose,🌻 sunflower,🌸 cherry blossom,🌼 blossom,🌞 sun face,🌝 full moon face,🌍 earth globe europe africa,
🌙 crescent moon,⭐ medium star,🌟 glowing star,⚡ high voltage sign,🔥 fire hot,🌈 rainbow,☀️ sun rays,☁️ cloud,🌧️ cloud rain,❄️ snowflake,
⛄ snowman without snow,🌊 water wave`,
  Food: `
🍎 red apple,🍐 pear,🍊 tangerine,🍋 lemon,🍌 banana,🍉 watermelon,🍇 grapes,🍓 strawberry,🍒 cherries,🍑 peach,🥭 mango,🍍 pineapple,🥥 coconut,🥝 kiwifruit,
🍅 tomato,🍆 aubergine,🥑 avocado,🥦 broccoli,🥕 carrot,🌽 ear maize,🥔 potato,🍞 bread,🥐 croissant,🥨 pretzel,🧀 cheese wedge,🥚 egg,🍳 cooking,🥞 pancakes,
🥓 bacon,🍗 poultry leg,🍔 hamburger,🍟 french fries,🍕 slice pizza,🌭 hot dog,🥪 sandwich,🌮 taco,🥗 green salad,🍝 spaghetti,🍜 steaming bowl,🍲 pot food,
🍣 sushi,🍱 bento box,🍚 cooked rice,🍦 soft ice cream,🍩 doughnut,🍪 cookie,🎂 birthday cake,🍰 shortcake,🍫 chocolate bar,🍬 candy,🍭 lollipop,
🍯 honey pot,🥛 glass milk,☕ hot beverage,🍵 teacup without handle,🍺 beer mug,🍻 clinking beer mugs,🍷 wine glass,🍸 cocktail glass,🥂 clinking glasses`,
  Travel: `
🚗 automobile,🚕 taxi,🚌 bus,🚎 trolleybus,🚓 police car,🚑 ambulance help,🚒 fire engine,🚚 delivery truck,🚜 tractor,🚲 bicycle,🛴 scooter,
🏍️ racing motorcycle,🚂 steam locomotive,🚆 train,🚇 metro,🚊 tram,✈️ airplane,🚀 rocket,🚁 helicopter,⛵ sailboat,🚤 speedboat,🚢 ship,⚓️ anchor,
🚦 vertical traffic light,🗺️ world map,🏔️ snow capped mountain,⛰️ mountain,🌋 volcano,🏕️ camping,🏖️ beach umbrella,🏝️ desert island,
🏠 house building,🏡 house garden,🏢 office building,🏥 hospital,🏦 bank,🏨 hotel,🏫 school,🏭 factory,🏰 european castle,⛪ church,🕌 mosque,🕍 synagogue,
⛲ fountain,⛺ tent,🌁 foggy,🌃 night stars,🌅 sunrise,🌆 cityscape dusk,🎡 ferris wheel,🎢 roller coaster`,
  Things: `
⚽ soccer ball,🏀 basketball hoop,🏈 american football,⚾ baseball,🎾 tennis racquet ball,🏐 volleyball,🏉 rugby football,🎱 billiards,
🏓 table tennis paddle ball,🏸 badminton racquet shuttlecock,🥊 boxing glove,⛳ flag hole,🎣 fishing pole fish,🎿 ski boot,🏂 snowboarder,🏆 trophy,
🥇 first place medal,🎮 video game,🎲 game die,🎯 direct hit,🎳 bowling,🎨 artist palette,🎬 clapper board,🎤 microphone,🎧 headphone,🎵 musical note,
🎶 multiple musical notes,🎹 musical keyboard,🥁 drum drumsticks,🎸 guitar,🎻 violin,🎁 wrapped present,🎈 balloon,🎉 party popper celebrate,
🎊 confetti ball,📱 mobile phone,💻 personal computer,📷 camera,📹 video camera,📺 television,📻 radio,⏰ alarm clock,⏳ hourglass flowing sand,🔋 battery,
🔌 electric plug,💡 electric light bulb,🔦 electric torch,🕯️ candle,💰 money bag,💳 credit card,🔧 wrench,🔨 hammer,🔑 key,🔒 lock,🔓 open lock,🚪 door,
🛏️ bed,🛒 shopping trolley,✉️ envelope,📦 package,📅 calendar,📌 pushpin,📍 round pushpin,📎 paperclip,✂️ scissors,✏️ pencil,📝 memo,📚 books,
📖 open book,🔍 left pointing magnifying glass`,
  Signs: `
✅ heavy check mark done yes,❌ cross mark no,❓ question mark ornament,❗ heavy exclamation mark symbol,⚠️ warning sign,🚫 no entry sign,⛔ no entry,
♻️ universal recycling symbol,✔️ heavy check mark,➕ heavy plus sign,➖ heavy minus sign,➡️ rightwards arrow,⬅️ leftwards arrow,⬆️ upwards arrow,
⬇️ downwards arrow,🔄 anticlockwise downwards upwards open circle arrows,🔔 bell,🔕 bell cancellation stroke,🔇 speaker cancellation stroke,
🔊 speaker three sound waves,🆗 squared ok,🆘 squared sos help,🆕 squared new,🆒 squared cool,🔴 large red circle,🟠 large orange circle,
🟡 large yellow circle,🟢 large green circle,🔵 large blue circle,🟣 large purple circle,⚫ medium black circle,⚪ medium white circle,
🏁 chequered flag,🚩 triangular flag on post,🏳️ waving white flag,🏴 waving black flag`,
};

/** Groups of emoji: `{name, emoji: [{sign, words}]}`. */
export const emojiGroups = Object.entries(table).map(([name, entries]) => ({
  name,
  emoji: entries.trim().split(/,\n?/).map((entry) => {
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

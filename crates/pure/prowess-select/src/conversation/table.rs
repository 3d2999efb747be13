//! The words of the rule, by language.
//!
//! A short message does not tell its language, so all rows count for every message. Words that mean something else in
//! another row's language are left out ("die", "come", "la"). Everything is folded: lower case, no accents.

/// The words of one language.
pub(super) struct Words {
    /// Openings of a message that continues the one before.
    pub(super) continues: &'static [&'static str],
    /// Openings of a short addition or correction. In front of more words they open a request of its own.
    pub(super) adds: &'static [&'static str],
    /// Phrases that point back, wherever they stand.
    pub(super) points_back: &'static [&'static str],
    /// One of several things. It points back only where no noun of the message follows.
    pub(super) picks: &'static [&'static str],
    /// Pronouns. They point back only where the message has little else.
    pub(super) pronouns: &'static [&'static str],
    /// Thanks, greetings, praise and acknowledgements.
    pub(super) closings: &'static [&'static str],
    /// Words that may stand beside a closing.
    pub(super) beside: &'static [&'static str],
    /// Announcements of another topic.
    pub(super) asides: &'static [&'static str],
    /// Openings of a question.
    pub(super) questions: &'static [&'static str],
    /// Courtesies in front of a request.
    pub(super) courtesies: &'static [&'static str],
}

/// Languages with spaces between words.
#[rustfmt::skip]
pub(super) const SPACED: [Words; 8] = [
    // English
    Words {
        continues: &[
            "again", "also", "and", "another", "as well", "check again", "even", "go ahead", "how about", "instead", "make another", "make it",
            "make that", "make them", "maybe", "no", "nope", "now", "one more", "plus", "proceed", "redo", "retry", "same", "sure", "the same",
            "then", "this time", "undo", "what about", "what if", "whats about", "yeah", "yep", "yes",
        ],
        adds: &[
            "a bit", "add", "adjust", "bigger", "bit", "brighter", "but", "change", "correct", "cuter", "darker", "due", "except", "extend",
            "faster", "fix", "for", "from", "funnier", "higher", "in", "just", "larger", "less", "lighter", "longer", "louder", "lower", "more",
            "next", "not", "only", "or", "quieter", "remove", "replace", "shorter", "simpler", "slower", "smaller", "softer", "to",
            "try", "until", "with", "without",
        ],
        points_back: &[
            "again", "another one", "as above", "as before", "as well", "do the same", "from that", "instead", "like that", "like before",
            "one more", "same", "that one", "that too", "this too", "the first one", "the next one", "the one", "the ones",
            "the second one", "this one", "this time", "too", "try another",
        ],
        picks: &["the above", "the bottom one", "the first", "the former", "the last", "the last one", "the latter", "the other", "the others", "the previous", "the rest", "the second", "the third", "the top one"],
        pronouns: &["he", "her", "him", "hers", "his", "it", "its", "one", "ones", "she", "that", "their", "them", "these", "they", "those"],
        closings: &[
            "ace", "adios", "agreed", "alright", "amazing", "awesome", "beautiful", "bliss", "bravo", "brilliant", "bye", "cheers", "ciao",
            "clear", "congrats", "cool", "done", "ever so kind", "excellent", "fab", "fabulous", "fair enough", "fantastic", "fine", "gm", "gn", "good",
            "good boy", "good job", "good morning", "good night", "good to know", "goodbye", "gorgeous", "got it", "grand", "great", "gotcha",
            "haha", "hello", "hey", "hi", "hooray", "i see", "impressive", "interesting", "kk", "k", "legend", "lol", "looks good", "love it", "lovely",
            "makes sense", "meh", "never mind", "nevermind", "nice", "night", "night night", "no problem", "no worries", "nvm", "ok", "okay",
            "outstanding", "perfect", "phew", "right", "see you", "solved", "sorted", "spot on", "star", "stunning", "super", "superb", "sweet", "ta", "thank",
            "thank you", "thanks", "that works", "thx", "thought so", "tq", "ty", "tysm", "understood", "very good", "well done", "wicked", "wonderful",
            "works", "wow", "yay", "youre welcome",
        ],
        beside: &[
            "a", "ah", "all", "and", "are", "as", "aw", "be", "day", "everything", "exactly", "for", "guys", "have", "help", "helpful", "helps", "how", "i",
            "in", "is", "it", "its", "just", "last", "later", "life", "lot", "loads", "man", "mate", "means", "me", "much", "my", "needed", "needs", "now", "of", "oh",
            "one", "part", "quick", "really", "re", "s", "saver", "so", "that", "thats", "the", "then", "they", "this", "to", "today", "tomorrow", "ton",
            "true", "twas", "up", "us", "very", "was", "well", "what", "worked", "you", "your", "youre", "job", "work", "again", "soon", "night", "evening",
        ],
        asides: &[
            "another question", "another thing", "apropos", "btw", "by the way", "changing topic", "different question",
            "different topic", "new topic", "off topic", "separate thing", "something else", "totally different", "unrelated",
        ],
        questions: &[
            "any", "anyone", "are", "can", "could", "did", "do", "does", "explain", "got any", "has", "have", "how", "hows", "is", "recommend",
            "remind me", "should", "tell me", "was", "were", "what", "whats", "when", "whens", "where", "wheres", "which", "who", "whos", "whose", "why", "will",
            "would",
        ],
        courtesies: &["can you", "can u", "could you", "could u", "please", "pls", "plz", "would you", "will you"],
    },
    // German
    Words {
        continues: &[
            "auch", "ausserdem", "bitte auch", "dann", "das gleiche", "dasselbe", "doch", "eher", "genauso", "gleiches", "ja", "jetzt", "lieber",
            "mach das", "mach es", "nachste", "nachster", "nee", "nein", "noch", "noch ein", "noch eine", "noch einmal", "nochmal", "nun",
            "stattdessen", "und", "was ist mit", "weiter", "wie sieht es mit", "wie ware es mit",
        ],
        adds: &[
            "aber", "aendere", "andere", "etwas", "fuge", "fur", "kurzer", "langer", "lauter", "leiser", "mit", "nicht", "nur", "oder", "ohne",
            "statt", "versuch",
        ],
        points_back: &[
            "auch noch", "das gleiche", "dasselbe", "denselben", "dieselbe", "ebenfalls", "erneut", "genauso", "noch einmal", "nochmal", "noch mal",
            "stattdessen", "wie eben", "wie vorher",
        ],
        picks: &["das andere", "das erste", "das zweite", "den ersten", "den zweiten", "der erste", "der zweite", "die anderen", "die erste", "die letzte", "die zweite"],
        pronouns: &["daraus", "davon", "dazu", "es", "ihm", "ihn", "sie"],
        closings: &[
            "alles klar", "besten dank", "danke", "dankeschon", "dankesehr", "erledigt", "genial", "gut", "gute nacht", "guten morgen", "guten tag",
            "gut gemacht", "hallo", "hervorragend", "klasse", "moin", "passt", "perfekt", "prima", "schon", "servus", "sehr gut", "spitze", "stimmt", "super",
            "tausend dank", "toll", "tschuss", "tschus", "verstanden", "verstehe", "vielen dank", "wunderbar",
        ],
        beside: &["das", "dir", "die", "du", "fur", "hast", "hat", "hilfe", "hilft", "ihnen", "ist", "ja", "mir", "na", "sehr", "so", "war", "wirklich", "jetzt", "und", "dann", "bis", "morgen", "spater"],
        asides: &["andere frage", "anderes thema", "andere sache", "apropos", "nebenbei", "neues thema", "ubrigens", "was anderes", "ganz was anderes"],
        questions: &[
            "erklare", "gibt es", "hast du", "kannst du", "kennst du", "was", "wann", "warum", "welche", "welcher", "welches", "wer", "weshalb",
            "wessen", "wie", "wieso", "wieviel", "wo", "woher", "wohin",
        ],
        courtesies: &["bitte", "kannst du", "konntest du", "wurdest du"],
    },
    // French
    Words {
        continues: &[
            "au lieu", "aussi", "autre chose encore", "encore", "ensuite", "et", "fais la", "fais le", "la meme", "la meme chose", "le meme",
            "maintenant", "meme chose", "non", "oui", "pareil", "plutot", "puis", "qu en est il", "recommence", "seulement", "suivant", "un autre",
            "une autre",
        ],
        adds: &[
            "ajoute", "avec", "change", "dans", "mais", "ou", "pas", "plus", "pour", "refais", "sans", "un peu",
        ],
        points_back: &[
            "a nouveau", "a la place", "aussi", "celle ci", "celle la", "celui ci", "celui la", "de meme", "de nouveau", "egalement",
            "encore une fois", "la meme chose", "meme chose", "pareil",
        ],
        picks: &["la deuxieme", "la premiere", "la seconde", "le deuxieme", "le premier", "le second", "le dernier", "la derniere", "les autres", "l autre"],
        pronouns: &["ca", "cela", "celle", "celles", "celui", "ceux", "lui"],
        closings: &[
            "au revoir", "bien joue", "bonjour", "bonne nuit", "bonne soiree", "bonsoir", "bravo", "compris", "d accord", "excellent", "genial", "impeccable",
            "magnifique", "merci", "merci beaucoup", "nickel", "parfait", "salut", "super", "tres bien",
        ],
        beside: &["a", "beaucoup", "bien", "c", "c est", "est", "infiniment", "mille", "fois", "pour", "ton", "toi", "tout", "tres", "tu", "vous", "votre", "aide"],
        asides: &["a propos", "au fait", "autre question", "autre sujet", "rien a voir", "sinon"],
        questions: &[
            "c est quoi", "combien", "comment", "est ce que", "explique", "ou est", "pourquoi", "quand", "que veut dire", "quel", "quelle", "quelles", "quels",
            "qu est ce", "qui", "quoi",
        ],
        courtesies: &["peux tu", "pourrais tu", "pouvez vous", "s il te plait", "s il vous plait"],
    },
    // Spanish
    Words {
        continues: &[
            "ahora", "asi no", "despues", "en vez", "entonces", "hazlo", "igual", "lo mismo", "mejor", "ninguno", "otra", "otra vez", "otro", "si",
            "siguiente", "tambien", "y",
        ],
        adds: &[
            "agrega", "anade", "cambia", "con", "en", "mas", "no", "o", "para", "pero", "sin", "solo", "un poco",
        ],
        points_back: &[
            "de nuevo", "el mismo", "en su lugar", "en vez de eso", "ese otro", "la misma", "lo mismo", "otra vez", "tambien",
        ],
        picks: &["el otro", "el primero", "el segundo", "el tercero", "el ultimo", "la otra", "la primera", "la segunda", "la ultima", "los otros"],
        pronouns: &["aquello", "eso", "ella", "ellos"],
        closings: &[
            "adios", "buen trabajo", "buenas noches", "buenas tardes", "bueno", "buenos dias", "chao", "de acuerdo", "entendido", "estupendo", "excelente", "genial", "gracias",
            "hasta luego", "hola", "listo", "muchas gracias", "muy bien", "perfecto", "vale",
        ],
        beside: &["de", "es", "esta", "eso", "mil", "muchas", "muy", "por", "te", "todo", "tu", "ayuda", "la", "asi", "si", "era"],
        asides: &["a proposito", "cambiando de tema", "otra cosa", "otra pregunta", "otro tema", "por cierto"],
        questions: &[
            "a que", "como", "cual", "cuales", "cuando", "cuanta", "cuanto", "cuantos", "donde", "explica", "hay", "por que", "que", "quien", "quienes",
        ],
        courtesies: &["me puedes", "podrias", "por favor", "puedes"],
    },
    // Italian
    Words {
        continues: &[
            "adesso", "allora", "anche", "ancora", "e", "ed", "fallo", "invece", "la stessa cosa", "lo stesso", "no", "oppure", "ora", "poi",
            "prossimo", "si", "stessa cosa", "un altra", "un altro",
        ],
        adds: &[
            "aggiungi", "cambia", "con", "ma", "meno", "non", "o", "per", "piu", "rifai", "senza", "solo", "un po",
        ],
        points_back: &[
            "ancora una volta", "di nuovo", "invece", "la stessa", "lo stesso", "questo qui", "stessa cosa",
        ],
        picks: &["gli altri", "il primo", "il secondo", "l altro", "l altra", "la prima", "la seconda", "l ultimo", "quella", "quello"],
        pronouns: &["cio", "essa", "esso", "lei", "loro", "lui"],
        closings: &[
            "a domani", "arrivederci", "bene", "benissimo", "bravissimo", "buon lavoro", "buona notte", "buonanotte", "buonasera", "buongiorno", "ciao",
            "d accordo", "eccellente", "fantastico", "grande", "grazie", "grazie mille", "ho capito", "molto bene", "ottimo", "perfetto", "va bene",
        ],
        beside: &["di", "dell", "aiuto", "mille", "molte", "per", "tutto", "sei", "stato", "tanto", "va", "l", "cosi"],
        asides: &["a proposito", "altra cosa", "altra domanda", "cambiando argomento", "fra l altro"],
        questions: &["che", "che cosa", "chi", "come si", "cos e", "cosa", "dove", "perche", "qual", "quale", "quali", "quando", "quanti", "quanto", "spiega"],
        courtesies: &["per favore", "per piacere", "potresti", "puoi"],
    },
    // Portuguese
    Words {
        continues: &[
            "a mesma coisa", "agora", "de novo", "e", "em vez", "entao", "mesma coisa", "nao", "o mesmo", "outra", "outro", "proxima", "proximo",
            "sim", "tambem",
        ],
        adds: &[
            "acrescenta", "acrescente", "adiciona", "adicione", "com", "em", "mais", "mas", "muda", "ou", "para", "pra", "refaz", "sem", "so",
            "somente", "um pouco",
        ],
        points_back: &[
            "a mesma", "de novo", "em vez disso", "mais uma vez", "mesma coisa", "novamente", "o mesmo", "outra vez", "tambem",
        ],
        picks: &["a outra", "a primeira", "a segunda", "a ultima", "o outro", "o primeiro", "o segundo", "o ultimo", "os outros"],
        pronouns: &["aquilo", "dele", "dela", "ela", "ele", "isso", "nele", "nela"],
        closings: &[
            "adeus", "beleza", "boa noite", "boa tarde", "bom dia", "certo", "combinado", "entendi", "excelente", "legal", "maravilha", "muito bem", "muito bom",
            "obrigada", "obrigado", "oi", "ola", "otimo", "parabens", "perfeito", "tchau", "tudo bem", "valeu", "show",
        ],
        beside: &["de", "demais", "e", "ficou", "muito", "por", "pela", "ajuda", "tudo", "voce", "pelo", "ate", "amanha", "mesmo"],
        asides: &["a proposito", "alias", "mudando de assunto", "outra coisa", "outra pergunta"],
        questions: &["como", "explica", "explique", "onde", "o que", "por que", "porque", "qual", "quais", "quando", "quanto", "quantos", "quem"],
        courtesies: &["por favor", "pode", "podes", "poderia", "voce pode"],
    },
    // Russian
    Words {
        continues: &[
            "а", "а если", "а теперь", "да", "давай", "другое", "другой", "другую", "еще", "ещё", "и", "лучше", "нет", "опять", "повтори", "потом",
            "сделай его", "следующая", "следующий", "снова", "также", "теперь", "то же", "тогда", "тоже",
        ],
        adds: &[
            "без", "для", "добавь", "измени", "или", "на", "не", "но", "по", "попробуй", "с", "только",
        ],
        points_back: &[
            "вместо этого", "еще один", "еще раз", "ещё раз", "заново", "как раньше", "опять", "снова", "такой же", "такую же", "так же",
            "то же самое", "тоже", "также",
        ],
        picks: &["второй", "вторую", "вторая", "второе", "первый", "первую", "первая", "последний", "последнюю"],
        pronouns: &["его", "ее", "её", "ему", "ей", "им", "их", "него", "нее", "них", "она", "они", "оно", "он", "это"],
        closings: &[
            "благодарю", "всего доброго", "доброе утро", "добрый день", "добрый вечер", "здорово", "здравствуйте", "класс", "круто", "ладно", "молодец", "окей", "ок", "отлично",
            "пока", "понял", "поняла", "понятно", "превосходно", "привет", "прекрасно", "спасибо", "спокойной ночи", "супер", "хорошо", "ясно", "до свидания",
        ],
        beside: &["большое", "за", "огромное", "очень", "помощь", "тебе", "вам", "ты", "все", "всё", "это", "так", "и", "было"],
        asides: &["другой вопрос", "другая тема", "кстати", "между прочим", "не по теме"],
        questions: &[
            "где", "зачем", "как", "какая", "какие", "какой", "какое", "когда", "кто", "куда", "объясни", "откуда", "почему", "расскажи", "сколько", "чей", "чем", "что",
        ],
        courtesies: &["можешь", "можете", "пожалуйста"],
    },
    // Turkish
    Words {
        continues: &[
            "ayni", "aynisi", "aynisini", "ayrica", "az daha", "baska", "bir daha", "bir de", "bir tane daha", "bu kez", "bu sefer", "bunu", "daha",
            "evet", "hayir", "onu", "peki", "peki ya", "simdi", "sonra", "sonraki", "tekrar", "ve", "veya", "ya", "yeniden",
        ],
        adds: &[
            "ama", "biraz", "degil", "degistir", "ekle", "sadece",
        ],
        points_back: &[
            "ayni sekilde", "aynisini", "aynisi", "bir daha", "bir tane daha", "bunun yerine", "da ekle", "de ekle", "onun yerine", "tekrar",
            "yeniden", "yerine",
        ],
        picks: &["digeri", "digerini", "ikincisi", "ikincisini", "ilkini", "ilki", "sonuncusu"],
        pronouns: &["buna", "bunlar", "bunu", "ona", "onlari", "onu", "onun"],
        closings: &[
            "aferin", "anladim", "anlasildi", "bravo", "eyvallah", "gorusuruz", "gunaydin", "harika", "hosca kal", "iyi", "iyi geceler", "iyi aksamlar", "merhaba", "mukemmel", "sag ol",
            "sagol", "selam", "super", "tamam", "tamamdir", "tesekkur", "tesekkurler", "tesekkur ederim", "guzel",
        ],
        beside: &["cok", "ederim", "icin", "her", "sey", "oldu", "bu", "yardimin", "kadar"],
        asides: &["bu arada", "baska bir konu", "baska bir soru", "konu disi"],
        questions: &["acikla", "hangi", "kac", "kim", "kimin", "nasil", "ne", "ne kadar", "ne zaman", "neden", "nerede", "nereye", "nicin", "niye"],
        courtesies: &["lutfen"],
    },
];

/// Languages that are written without spaces, or join their particles to words. Phrases are found anywhere in the text.
#[rustfmt::skip]
pub(super) const JOINED: [Words; 3] = [
    // Japanese
    Words {
        continues: &[
            "あと", "いや", "いいえ", "今度は", "同じ", "同様に", "じゃあ", "それと", "それも", "それで", "次は", "次の", "では", "でも", "はい", "もう一", "もう少し", "もっと", "別の", "また", "やっぱり", "ついでに", "他の", "さらに",
            "そして", "ううん", "違う",
        ],
        adds: &[],
        points_back: &[
            "それ", "そっち", "二番目", "2番目", "２番目", "一番目", "1番目", "最初の", "最後の", "もう一度", "もう一回", "再度", "同じ", "代わりに", "やり直", "前と", "さっきの", "も追加", "にして", "も入れて", "もお願い", "だけに", "はどう", "の方",
        ],
        picks: &[],
        pronouns: &["これ"],
        closings: &[
            "ありがとう", "有難う", "ありがと", "了解", "わかりました", "分かりました", "わかった", "分かった", "おはよう", "こんにちは", "こんばんは", "おやすみ", "さようなら", "すごい", "素晴らしい", "完璧", "いいね", "助かりました", "助かった", "お疲れ", "なるほど", "バイバイ",
            "オッケー",
        ],
        beside: &["ございます", "ございました", "です", "ます", "ました", "ね", "よ", "本当に", "とても", "どうも", "様", "さま", "すごく", "いろいろ", "また", "明日", "とう", "ー", "って", "これで"],
        asides: &["ところで", "話は変わ", "別件", "別の質問", "全然関係"],
        questions: &["何", "なに", "なぜ", "なんで", "どうして", "どこ", "いつ", "誰", "だれ", "どの", "どうやって", "いくら", "とは"],
        courtesies: &[],
    },
    // Chinese
    Words {
        continues: &[
            "不", "不是", "不对", "不要", "再", "另外", "同样", "同樣", "那", "那么", "还有", "還有", "也", "现在", "現在", "换", "換", "改成", "改为", "接着", "继续", "繼續", "然后", "然後", "下一", "只", "对", "對", "是的", "好的再", "加上", "顺便再", "但", "或者", "还是", "再来",
            "給", "和",
        ],
        adds: &[],
        points_back: &[
            "第一个", "第二个", "第三个", "第一個", "第二個", "最后一个", "最後一個", "那个", "那個", "它", "再来一", "再來一", "再做", "再试", "再試", "再一次", "重新", "一样", "一樣", "也要", "也加", "代替", "换成", "換成", "改成", "另一个", "另一個", "其他的", "刚才", "剛才", "上面的", "呢",
        ],
        picks: &[],
        pronouns: &[],
        closings: &[
            "谢谢", "謝謝", "多谢", "多謝", "感谢", "感謝", "好的", "好吧", "好", "明白了", "明白", "知道了", "懂了", "收到", "再见", "再見", "拜拜", "晚安", "早上好", "你好", "您好", "太棒了", "太好了", "很好", "完美", "厉害", "厲害", "不错", "不錯", "没问题", "沒問題", "辛苦了", "赞", "讚",
        ],
        beside: &["你", "您", "了", "的", "非常", "太", "很", "帮助", "幫助", "帮忙", "我", "啦", "哦", "啊", "那", "就", "真", "是", "都", "解决", "解決"],
        asides: &["对了", "對了", "顺便问", "順便問", "另一个问题", "另一個問題", "换个话题", "換個話題", "题外话", "題外話"],
        questions: &["什么", "什麼", "为什么", "為什麼", "怎么", "怎麼", "谁", "誰", "哪", "几", "幾", "多少", "何时", "如何", "解释", "解釋"],
        courtesies: &["请", "請"],
    },
    // Korean
    Words {
        continues: &[
            "그리고", "그럼", "그러면", "그런데도", "아니", "아니요", "네", "응", "또", "다시", "한번 더", "한 번 더", "이번엔", "이번에는", "이제", "같은", "똑같", "다른", "다음", "더", "대신", "만약", "추가로", "그것도", "그거", "하지만", "근데 그", "역시",
        ],
        adds: &[],
        points_back: &[
            "그거", "그것", "그걸", "이걸로", "두 번째", "두번째", "첫 번째", "첫번째", "세 번째", "마지막", "다시", "한번 더", "한 번 더", "똑같이", "같은 걸", "마찬가지", "대신", "도 추가", "도 해", "도 보내", "나머지", "다른 거", "아까", "로 바꿔", "는요", "은요", "은?", "는?",
        ],
        picks: &[],
        pronouns: &["이거", "이것"],
        closings: &[
            "감사합니다", "감사해요", "감사", "고마워요", "고마워", "고맙습니다", "알겠습니다", "알겠어요", "알겠어", "알았어", "좋아요", "좋아", "좋네요", "완벽해요", "완벽", "훌륭", "최고", "안녕하세요", "안녕", "잘 자", "잘했어", "수고", "오케이", "그렇군요", "대단",
        ],
        beside: &["정말", "너무", "진짜", "아주", "해요", "하네요", "합니다", "했어요", "하셨어요", "이에요", "예요", "네요", "요", "도와줘서", "도와주셔서", "해", "하", "많이", "히", "가세요", "계세요"],
        asides: &["그나저나", "다른 얘기", "다른 질문", "참고로 다른", "여담"],
        questions: &["뭐", "무엇", "무슨", "왜", "어떻게", "어디", "언제", "누구", "누가", "얼마", "몇", "어느", "설명해"],
        courtesies: &[],
    },
];

/// Sounds that open a message and say nothing.
#[rustfmt::skip]
pub(super) const SOUNDS: &[&str] = &[
    "ach", "actually", "ah", "ahh", "aw", "bueno", "eh", "er", "erm", "haha", "hey", "hm", "hmm", "huh", "ne", "oh", "ohh", "ooh", "pues", "right", "so", "tja", "uh", "um", "well", "ну", "ой",
];

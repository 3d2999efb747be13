//! The steps of a lure, whatever words it is made of: something is fetched, opened, started, and nothing works
//! without it.
//!
//! None of them means anything alone. Rules count how many stand under one heading with a place from which
//! programs come that nobody vouches for, so a step that is worded in an unknown way does not save a lure.

use crate::signal::signals;

signals! { super::hints::END;
    /// Something is fetched.
    GET []
        r"\b(downloads?|downloaded|fetch|grab|get|take|obtain|retrieve|pull|pick up|herunter\w*|laden?|bezieh\w+|télécharg\w*|récupér\w*|desc[aá]rg\w*|baix\w+|obt[eé]n\w*|scaric\w*|pobierz\w*|pobra\w+|ściągn\w*|indir\w*|ophalen|haal|stáhn\w*|stiahn\w*|hämta|ladda|hent|lataa|letölt\w*|descărca\w*|tải|unduh)\b|скача|загруз|завантаж|κατεβ|下载|下載|ダウンロード|다운로드|내려받|ดาวน์โหลด|تنزيل|تحميل|הורד|डाउनलोड";
    /// It is started.
    START []
        r"\b(run|runs|running|launch(es|ed)?|start(s|ed)?|execute|double-?click|install(ed|ing)?|open(ed)?|side-?load\w*|load(ed)? \w* ?\w* ?unpacked|keep|is (up|alive)|starten?|ausführ\w*|führ\w+|öffn\w*|installier\w*|lanc\w+|exécut\w*|ouvr\w+|install\w+|ejecut\w*|ejecút\w*|abr[aei]\w*|execut\w*|instal\w*|avvi\w+|esegu\w*|apri\w*|uruch\w+|otw\w+|zainstal\w*|çalıştır\w*|başlat\w*|kur\w+|spus[tť]\w*|kör|starta|kjør|käynnistä|futtas\w*|ruleaz\w*|chạy|jalankan)\b|запус|откро|установ|відкри|встанов|εκτελ|运行|執行|执行|打开|開啟|双击|启动|安装|安裝|実行|起動|開い|インストール|실행|열어|설치|เปิด|ติดตั้ง|شغل|تشغيل|ثبت|הפעל|चला";
    /// Nothing works until it is there.
    NEEDED []
        r"\b(require[sd]?|requirements?|prerequisites?|mandatory|compulsory|obligatory|essential|necessary|needed|needs|must|has to|have to|until|beforehand|before|prior to|first|otherwise|without|(will|does|do|is|are|can)( ?not|n['’]t)|cannot|nothing|refuses?|missing|outdated|relies|rely|depends?|step (0|1|zero|one)|benötig\w*|erforderlich|voraussetzung\w*|muss|müssen|zuerst|vorher|ohne|vor (dem|der|jeder)|requis\w*|nécessaire\w*|obligatoire\w*|avant|sans|doit|doivent|requ(ier\w+|isit\w+)|necesari\w+|obligatori\w+|antes|sin|debe\w*|necess[aá]ri\w+|sem|exige|deve|prima|senza|occorre|serve|necessari\w+|wymag\w*|przed|bez|musi\w*|najpierw|gerek\w*|önce|olmadan|zorunlu|şart|vereist|voordat|vóór|zonder|moet|nodig|nejprve|nutn\w+|krävs|måste|innan|utan|påkrevd|må|vaaditaan|ennen|szükséges|előtt|nélkül|necesar\w*|înainte|fără|bắt buộc|trước khi|diperlukan|sebelum|harus)\b|сначала|перед|требу|необходим|обязат|без |нужн|должн|спочатку|потрібн|πριν|απαιτ|必须|必須|必需|需要|请先|先安|使用前|之前|否则|首先|まず|最初|前に|事前|必要|ないと|しないと|먼저|필요|필수|전에|없으면|ก่อน|จำเป็น|قبل|يجب|مطلوب|לפני|חובה|पहले|ज़रूरी|आवश्यक";
    /// Somebody is to look away, or to give it all rights.
    LOOK_AWAY []
        r"\b(run|start|open|launch|execut\w*|allow\w*|install\w*|als|as( an?)?|como|en tant qu['’]|come|jako|right-click)\b[^\n]*\b(administra\w+|admin|amministratore|beheerder|správc\w*)\b|yönetici|rendszergazda|администратор|管理员|管理員|管理者|관리자|\b(run|open|keep|install|allow) (it )?anyway\b|(dennoch|trotzdem) (ausführen|öffnen)|(exécuter|ouvrir) quand même|(ejecutar|abrir) de todos modos|\b(disable|deactivate|turn|switch|pause|add|off|stop|exclu\w+|ignore|whitelist|allow|complain\w*|flag\w*|warn\w*|block\w*|falschalarm|deaktivier\w*|abschalt\w*|ausschalt\w*|désactiv\w*|exception|excepci\w+|desact\w+|exceção|bloquear|disattiv\w*|wyłącz\w*|uitschakel\w*|kapat\w*|отключ\w*|false positive|falso positivo|faux positif)\b[^.\n]*\b(anti-?vir\w*|virus\w*|defender|gatekeeper|smart ?screen|real-time protection|firewall|antywirus\w*)\b|\b(anti-?vir\w*|virus\w*|defender|gatekeeper|smart ?screen|real-time protection|firewall|antywirus\w*)\b[^.\n]*\b(off|disable|false positive|falso positivo|faux positif|fehlalarm|complain\w*|block\w*|warn\w*|bloque\w*|exce\w+|désactiv\w*|desact\w+|ignor\w*|anyway|run|allow)\b|(отключ|выключ)[^\n]*(антивирус|защит)|(关闭|禁用)[^\n]*(杀毒|防护|defender)|(ウイルス|defender)[^\n]*(無効|オフ|停止)|(백신|defender)[^\n]*(끄|해제|중지)|\bxattr\s+-|spctl\s+--|privacy & security|(un(identified|known)) developer|\bmac password\b|\bdeveloper mode\b|\bunknown sources\b|\bplay protect\b[^.\n]*\b(off|aus|disable)";
    /// The word that opens an archive, told with it.
    OPENING_WORD []
        r"(\b(pass(word|code|phrase|wort)?|kennwort|pwd|pw|key|(archive |zip |unlock )?code|secret( word)?|pin|mot de passe|contraseña|clave|senha|parola|hasł[oe]m?|wachtwoord|şifre\w*|heslo\w*|lösenord\w*|passord\w*|salasana\w*|jelszó\w*|mật khẩu|kata sandi)\b|парол\w*|密码|密碼|口令|パスワード|비밀번호|암호|รหัส(ผ่าน)?|كلمة (المرور|السر)|סיסמה?)(\s+[^\s`'\x22“«「:=(]+){0,3}?\s*([:=：]|\b(is|ist|lautet|est|es|é|jest|to|är|er)\b|è|это|是|为|は|は、|—|–)?\s*([`'\x22“«「*(]+[^\s`'\x22”»」*)]{2,}[`'\x22”»」*)]|\w*\d\w*)|\b(pass(word|code|phrase|wort)?|kennwort|pwd|pw|(archive |zip |unlock )code|mot de passe|contraseña|clave|senha|parola|hasło|wachtwoord|heslo|lösenord|passord)\b(\s+[^\s`'\x22:=]+){0,2}?\s*([:=]\s*|\s(ist|lautet|est|es|é|è|jest|är|er)\s+)\w{2,}|\bpass(word|code|phrase)? is \w{2,}\s*[.,;)]|\bunlock\w*\s*[:=]\s*[`'\x22“*]*\w{2,}|\b(wachtwoord|hasłem|passwort|kennwort|password|pass(phrase|code)?) \w{3,}\s+(en|i|und|and|et|y|e)\b|(парол\w*|密码|密碼|口令|パスワード|비밀번호|암호)\s*[:：は]?\s*[\w「`]{2,}|[`'\x22“«「][^\s`'\x22”»」]{2,}[`'\x22”»」]\s+(parola|şifre|heslo|salasan|jelsz|비밀번호)\w*|\b(opens?|opened|unlocks?|unlocked|unpacks?|unzips?|decrypts?|extracts?)\b (it |this )?(with|using|by) ([`'\x22“«*(]+\w{2,}[`'\x22”»*)]|\d+\b)";
    /// An archive by name or link.
    ARCHIVE []
        r"[\w/.-]\.(zip|rar|7z|tgz|tar\.gz|iso|dmg)\b|\b(unzip|unpack|extract|unrar)(s|p?ed|p?ing)?\b|\b(zip|rar|7z)\b|\barchiv(e|o|io|um)?\b|архив|压缩|壓縮|解压|解凍|圧縮|압축|entpack";
    /// A command is carried from a page to a shell.
    CARRIED []
        r"\b(cop(y|ies|ied)|paste|pasted|terminal|powershell|console|command prompt|win ?\+ ?r|spotlight|type the line|one-?liner|shell|kopier\w*|einfüg\w*|copi\w+|coll\w+|peg\w+|incoll\w+|skopiuj|wklej\w*|kopyala\w*|yapıştır\w*|kopieer|plak)\b|терминал|скопир|встав|终端|終端|复制|複製|粘贴|貼上|ターミナル|コピー|貼り付け|터미널|복사|붙여";
    /// An install spec: other rules judge it.
    INSTALL_SPEC []
        r"\bkind[\x22']?\s*:\s*[\x22']?(download|brew|node|go|uv)\b";
    /// The clipboard is filled by a page.
    CLIPBOARD ["press copy", "click copy", "hit copy", "tap copy", "copy button", "cmd+v", "cmd + v", "ctrl+v", "ctrl + v", "command+v", "⌘v", "⌘ v", "⌘+v"]
        r"\b(press|click|hit|tap|use)\b[^.\n]*\bcopy\b|\b(cmd|ctrl|command|strg) ?\+ ?v\b|⌘ ?\+? ?v\b";
}

extension Alphabet {
  private static let cyrillic: [ClosedRange<UInt32>] = [0x400...0x45F, 0x490...0x491]
  private static let ideographs: [ClosedRange<UInt32>] = [0x4E00...0x9FFF]
  private static let simplified =
    "的一是不了我你在有他这个们来到说好么就那要会也没吗什看去她对过吧想得能下自上为人大和知道时可以"
  private static let traditional =
    "的一是不了我你在有他這個們來到說好麼就那要會也沒嗎什看去她對過吧想得能下自上為人大和知道時可以"
  private static let kana =
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    + "がぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょ"
    + "アイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤユヨラリルレロワン"
    + "ガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョー"

  private static let polish = "aioeznrwsctykdpmłujlbgęhąóżśfćńźvqx"
  private static let czech = "oeanitvslrkdpímuáczyjěbéhřýžčšůgfúňxťóďwq"
  private static let slovak = "aoeinstvrlkdpmuácýjbzyčíhéšžúťľgfňôäďxóĺŕwq"
  private static let croatian = "aieonjsrtuvdkmlpgzbčšžćhcđfxywq"
  private static let russian = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"

  /// The languages, with their small letters in the order of their frequency.
  static let all: [Alphabet] = [
    // English, German with French names, French, Spanish and Catalan, Portuguese, Italian.
    Alphabet("windows-1252", "etaoinshrdlcumwfgypbvkjxqzé"),
    Alphabet("windows-1252", "enisratdhulcgmobwfkzüvpäßjöyxqéèêëàâçîôùû"),
    Alphabet("windows-1252", "esaitnruoldcmpévqfbghjàxèyêzçôâîûùïkëwœüæÿ"),
    Alphabet("windows-1252", "eaosrnidlctumpbgvyqóíhfzáéñjúxkwüçàèòï"),
    Alphabet("windows-1252", "aeosridntmucplvgqbfãhçéázóíêjxõúâàôükwy"),
    Alphabet("windows-1252", "eaionlrtscdupmvghfbqzèàòùéìjkwxy"),
    // Swedish, Danish and Norwegian, Finnish, Dutch, Icelandic.
    Alphabet("windows-1252", "eantrsildomgkvfähuåpbcöyjxzéqwü"),
    Alphabet("windows-1252", "ernitasdlogkmvfuøpåhbæyjcéwzxqöäü"),
    Alphabet("windows-1252", "aintesloäukömrvjyhpdgbfcåqwxzéü"),
    Alphabet("windows-1252", "enatirodslghvkmubpwjczfyxëéïqöüèáíó"),
    Alphabet("windows-1252", "arniestugðlmkfhvoáþídóbyæjöpéúýxcz"),
    // Polish, Czech, Slovak, Hungarian, Romanian, Croatian and Slovene.
    Alphabet("windows-1250", polish),
    Alphabet("windows-1250", czech),
    Alphabet("windows-1250", slovak),
    Alphabet("windows-1250", "eatlnksoiárzmgédyvbhjöfpcuóőíüúűxwq"),
    Alphabet("windows-1250", "eiaurtnlscodăpmvşîfţgbzhâjxkwyq"),
    Alphabet("windows-1250", croatian),
    // The same by ISO, where letters differ.
    Alphabet("iso-8859-2", polish),
    Alphabet("iso-8859-2", czech),
    Alphabet("iso-8859-2", slovak),
    Alphabet("iso-8859-2", croatian),
    // Turkish, Lithuanian, Latvian, Estonian.
    Alphabet("windows-1254", "aeirnlıkdmtuyşsboügzçğhvcöpfjâîûwxqİ"),
    Alphabet("windows-1257", "iaseturnkomlpvdjgėbyšąųžūįčęzcfhõäüö"),
    Alphabet("windows-1257", "aisteurnmokldāpvīējzgbšcūņļžčģķfhõäüö"),
    Alphabet("windows-1257", "aeistlunkdomrvgjhpõäüböfšžcx"),
    // Russian, Ukrainian, Bulgarian, Serbian, Belarusian.
    Alphabet("windows-1251", russian, script: cyrillic),
    Alphabet("windows-1251", "оаниіертвсклудпмязьбгйчхцжюєїшщфґ", script: cyrillic),
    Alphabet("windows-1251", "аиоетнрсвлкдпмзуягъбчцйжхшщфюь", script: cyrillic),
    Alphabet("windows-1251", "аиоенрсјтувдклмпгзбчцшњхжћђљфџ", script: cyrillic),
    Alphabet("windows-1251", "анеіоркстыялдумпвзгйбцчьшжхэўёюф", script: cyrillic),
    Alphabet("koi8-r", russian, script: cyrillic),
    Alphabet("ibm866", russian, script: cyrillic),
    Alphabet(
      "windows-1253", "ατονιεηυρσπκςμλίόάέωδγήχθύώφβξζψϊΐϋΰ", script: [0x386...0x3CE],
      finals: "ς", medials: "σ"),
    Alphabet(
      "windows-1255", "יהולארתבשמםענכדחקפסזטגצןךףץ", script: [0x5D0...0x5EA], finals: "םןךףץ"),
    Alphabet("windows-1256", "اليمونرتبهعدفسكقحةجشىصخأطضذزثغءإئظؤآ", script: [0x621...0x652]),
    Alphabet(
      "windows-874", frequent: "กานรอมยเงลวทสดตบคปหแจ่้ัีิุไโใะ", script: [0xE01...0xE4E]),
    Alphabet("shift_jis", frequent: kana, script: ideographs),
    Alphabet("euc-jp", frequent: kana, script: ideographs),
    Alphabet("gb18030", frequent: simplified, script: ideographs),
    Alphabet("big5", frequent: traditional, script: ideographs),
    Alphabet(
      "euc-kr",
      frequent:
        "이다는을가고에의하지나어아사니리도시기그있한서자로은들해게요라인만대네야무거내보너일여",
      script: [0xAC00...0xD7A3]),
  ]
}

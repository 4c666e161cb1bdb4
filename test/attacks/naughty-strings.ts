import bigList from 'big-list-of-naughty-strings' with { type: 'json' };

/** The Big List of Naughty Strings without duplicates, and further strings. */
export const naughtyStrings = [
  ...new Set<string>([
    ...bigList,
    'Z̸̡̢̧̛̖̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̹̺̻̼͇͈͉͍͎̀́̂̃̄̅̆̇̈̉̊̋̌̍̎̏̐̑̒̓̔̽̾̿͂͆͊͋͌',
    '</script><script>window.xss=1</script>',
    '\u2028window.xss=1\u2029',
    '{"__proto__":{"polluted":true}}',
    '__proto__',
    'constructor',
    'toString',
    '\ufeff\u202e\u2066a\u0301\ufffd\uffff',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿👨‍👩‍👧‍👦🇪🇸',
    '%00%0d%0aSet-Cookie:a=b',
    '$1 $& {{7*7}} #{7*7} <%= 7*7 %>',
  ]),
];

/** Characters that are invisible alone and in combination. */
export const invisibleCharacters = [
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e',
  ...'\u2060\u2061\u2064\u2066\u2069\u206a\u206f\u2800\u3000\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9',
  ...'\u{1bca0}\u{1d173}\u{e0001}\u{e0020}\u{e007f}\u{e0100}',
];

/**
 * Endings of the roots of irregular Spanish verb forms, without accents. The last ending of each group stands for the
 * others. A caret marks a whole root.
 */
const ends = `
  traj traig tra, caig ca, duj duc, ^dij ^dig ^dic ^dich dec, endij endig endec, redij redec, ^hic ^hag ^hech hac, shic
  shag shech shac, ^pus ^pong ^pondr ^puest pon, mpus mpong mpuest mpon, opus opong opuest opon, spus spong spuest spon,
  xpus xpong xpuest xpon, ^sup ^sabr sab, ^quep ^cup cab, ^quis ^querr quer, ^pud ^podr pod, tuv teng tendr ten, veng
  vendr ven, ^salg ^saldr sal, valg valdr val, nduv nd, ^abiert abr, cubiert cubr, scrit scrib, ^rot romp, ^frit fre,
  vuelt volv, esuelt esolv, ^muert mor, ^pid ped, spid sped, mpid mped, ^sirv serv, ^sig seg, nsig nseg, rsig rseg, ^vist
  vest, repit repet, elig elij eleg, rrig rrij rreg, coj cog, otej oteg, irij irig, xij xig, ^mid med, ^rind rend, derrit
  derret, mpit mpet, sint sent, efir efer, ugir uger, ^mint ment, ^hirv herv, virt vert, epint epent, ^hir her, durm dorm,
  ^jueg jug, biciclet bic, fotograf fot, motociclet mot, colegi col, televis tel
`;
/** Forms without a regular ending. The first of each group is the root. */
const whole = `
  ver ves veo vea vean veamos vemos viendo visto vistos vista vi vio vieron vimos veia veian veias vere vera veran verlo
  verla verse, ir ire ira iran iremos irse voy vas va vamos van vaya vayan vayamos yendo iba ibas iban fui fuiste fue
  fueron fuimos, dar doy das da dan damos di dio dieron dado dando daba daban dare daria darle darme, o oi oir oigo oyes oye
  oyen oido oyo oyeron oyendo oia oian, ol huele huelen huelo huela olia olio, re reir rio rie ries rien riendo, fre freir frie fries
  frien frio, le lee lees leo lei, ca cae caes, tra trae traes, ven venir vinieron viniendo, mor murio murieron
  muriendo, dec dilo dime dinos dire dira dirian diria, hac haz hazlo hare hara haran haria harian, pon ponlo ponle,
  abr abriendo, cab cabria cabrian, bic bici bicis, fot foto fotos, tel tele teles, col cole coles, mot moto motos
`;

const groupsOf = (list: string) => list.split(',').map((group) => group.trim().split(/\s+/));

export const irregularForms: ReadonlyMap<string, string> = new Map(
  groupsOf(whole).flatMap((group) => group.map((form): [string, string] => [form, group[0] ?? ''])),
);

export const regularEnds: ReadonlyMap<string, string> = new Map(
  groupsOf(ends).flatMap((group) =>
    group.map((end): [string, string] => [end, group.at(-1) ?? '']),
  ),
);

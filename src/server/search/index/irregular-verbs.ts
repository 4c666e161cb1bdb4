/**
 * Roots of Spanish verbs whose forms have several, without accents. The first of each group stands for all. Roots are
 * followed by regular endings, and whole forms by none.
 */
const roots = `
  tra traj traig, distra distraj distraig, atra atraj atraig, contra contraj contraig, ca caig, o oig, le, cre, hu,
  pose, constru, destru, inclu, sustitu, distribu, dec dic dij dig dir dich diz, bendic bendij, predec predic predij,
  hac hic hiz hag har hech haz, deshac deshic deshag deshech, pon pus pong pondr puest, compon compus compong compuest,
  propon propus propong propuest, dispon dispus dispong dispuest, supon supus supong supuest, expon expus expong
  expuest, sab sup sep sabr, cab cup quep cabr, quer quis quier querr, pod pued pud podr, ten tuv tien teng tendr,
  manten mantuv mantien manteng mantendr, obten obtuv obtien obteng obtendr, conten contuv contien conteng, deten detuv
  detien deteng, ven vin vien veng vendr, conven convin convien conveng, sal salg saldr, val valg valdr, and anduv,
  conduc conduj, produc produj, reduc reduj, traduc traduj, introduc introduj, deduc deduj, abr abiert, descubr
  descubiert, cubr cubiert, escrib escrit, describ descrit, inscrib inscrit, romp rot, fre fri frit, imprim impres, re
  ri, sonre sonri, ol huel, ped pid, desped despid, imped impid, serv sirv, segu sigu seg sig, consegu consigu conseg
  consig, persegu persigu, vest vist, repet repit, eleg elig elij, correg corrig corrij, med mid, rend rind, derret
  derrit, compet compit, pens piens, cerr cierr, encerr encierr, empez empiez empiec empec, comenz comienz comienc
  comenc, perd pierd, entend entiend, atend atiend, tend tiend, extend extiend, encend enciend, defend defiend, sent
  sient sint, consent consient consint, prefer prefier prefir, refer refier refir, sugir suger sugier, calent calient,
  despert despiert, neg nieg, reg rieg, freg frieg, hel hiel, nev niev, tropez tropiez, ment mient mint, herv hierv hirv,
  divert diviert divirt, convert conviert convirt, invert inviert invirt, arrepent arrepient arrepint, her hier hir,
  recomend recomiend, gobern gobiern, confes confies, merend meriend, sembr siembr, acert aciert, apret apriet, atraves
  atravies, quebr quiebr, adquir adquier, cont cuent, encontr encuentr, prob prueb, aprob aprueb, comprob comprueb,
  record recuerd, acord acuerd, volv vuelv vuelt, devolv devuelv devuelt, envolv envuelv envuelt, revolv revuelv
  revuelt, resolv resuelv resuelt, dorm duerm durm, mor muer muert mur, mov muev, remov remuev, llov lluev, dol duel,
  col cuel, cost cuest, acost acuest, apost apuest, mostr muestr, demostr demuestr, almorz almuerz almuerc almorc, colg
  cuelg, descolg descuelg, forz fuerz, esforz esfuerz, soñ sueñ, vol vuel, son suen, rog rueg, tost tuest, sold sueld,
  rod rued, solt suelt, jug jueg, coc cuec cuez, torc tuerc tuerz, mord muerd, pobl puebl, cog coj,
  recog recoj, escog escoj, encog encoj, proteg protej, dirig dirij, exig exij, venc venz, convenc convenz, cruz cruc,
  beb, com, cos, deb, met, prometer promet, tem, viv, sub, un, cumpl, part, corr, vend, aprend, comprend, nac,
  repar, prepar, compar, separ, dispar, declar, aclar, retir, respir, aspir, inspir, admir, estir
`;

const forms = `
  ver ves veo vea vean veamos vemos viendo visto vio vieron vimos vi veia veian veias vere vera veran verlo verla verse,
  ir voy vas va vamos vais van iba ibas iban fui fuiste fue fueron fuimos ire ira iran iremos vaya vayan vayamos yendo
  irse vete, dar doy das da dan damos di dio dieron diste dimos dado dando daba daban dare dara daran daria darle darme,
  o oir oye oyen oyes oigo oido oyo oyeron oyendo oimos oia oian, re reir rio ries rie rien, ol huele huelen huelo
  hueles huela, dec dilo dime dinos, hac haz hazlo, pon ponlo ponle, cab quepo,
  biciclet bici bicis, fotograf foto fotos, televis tele teles, motociclet moto motos, profesor profe profes, colegi cole
  coles, pelicul peli pelis, frigorific frigo frigos, computador compu compus, institut insti, boligraf boli bolis
`;

const groupsOf = (list: string) =>
  list.split(',').flatMap((group) => {
    const [first = '', ...others] = group.trim().split(/\s+/);
    return [first, ...others].map((one): [string, string] => [one, first]);
  });

/** The root that stands for a verb, by each of its roots. */
export const verbRoots: ReadonlyMap<string, string> = new Map(groupsOf(roots));

/** The same, by forms that have no regular ending, and the roots of words that people shorten. */
export const verbForms: ReadonlyMap<string, string> = new Map(groupsOf(forms));

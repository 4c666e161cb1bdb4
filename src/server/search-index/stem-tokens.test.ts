import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem, tokensOfWord, wideTokens } from './stem.ts';
import { findForms } from './words.ts';

/** Verbs, each of which finds its other forms and is found by them, and derived words. */
const families = `
  trajo traer traigo trajeron traía traído trayendo trae traen traerlo, hicieron hacer hago hizo
  haciendo hecho haría hará haces hace hagan, pude poder puedo puedes pudieron podría podido
  podemos pueda, durmió dormir duermo durmiendo dormido duerman dormimos duerme, conduje
  conducir conduzco conduce condujeron conduciendo conducía, huele oler huelen olía olió huela,
  quepo caber cabe cupo caben cabría, quitar quita quito quité quitado quitando quitarlo quiten
  quitarle quitó, comprar compra compré compraría comprado comprando compro compraron comprarlo
  compren comprará, vender vende vendo vendió vendí vendería vendido vendiendo vendieron
  venderé, reparar repara reparación reparado repare reparaciones reparador reparó, limpiar
  limpia limpio limpié limpiando limpian limpiado, buscar busco busqué busca buscando
  busquen buscado, llegar llega llegué llegó llegaron llegue, empezar empieza empiezo empecé
  empezó empiece empezaron, comer come comió comiendo comida comimos comían comería, vivir vive
  vivió viviendo vivía viven vivido, abrir abre abrió abierto abrieron abriendo, decir dijo dice
  dijeron dicho digo diciendo dices decía diría, poner puso pongo pusieron poniendo pondré pone,
  saber supo sabe sabía supieron sabes, tener tuvo tengo tiene tuvieron teniendo tendrá
  tenía tenemos, venir vengo viene vinieron viniendo vendrá venía, salir salió salgo sale saldrá
  saliendo salieron, jugar juega jugué jugando jugaron juego juegan, nacer nació nace nacieron
  nazca nacido, conocer conozco conoció conoce conocía, llover llueve llovió lloviendo lloverá,
  perder perdió pierde perdí perdido pierdo perdieron, encontrar encuentro encontré encontró
  encontrado encuentra, volver vuelve volvió vuelto volvieron vuelvo, morir murió muere muerto
  murieron muriendo, pedir pidió pido pedí pidieron pide pidiendo, seguir sigue siguió sigo
  siguieron siguiendo, leer leyó lee leyendo leí leyeron leído, caer cayó cae caído cayendo
  caigo cayeron, construir construyó construyen construyendo construido, arreglar arregla
  arregló arreglo arreglado arreglando arreglen, cocinar cocina cocino cocinando cociné,
  escribir escribió escrito escribe escribiendo, romper rompió roto rota rompe rompieron, gato
  gatito, perro perrito, rápido rápidamente, ir fui fuimos vamos fueron iba,
  ver vio vieron veo visto, dar dio dieron doy, regar riega regué regando riego regado, calentar
  calienta calentó caliente calentando, freír frito fríe fríen, oír oyó oigo oye, elegir elige
  eligió elijo, proteger protege protejo protegido, alquilar alquila alquilo alquiler alquilado,
  crecer creció crece crezca crecen, estudiar estudia estudio estudié estudiando estudian,
  cambiar cambia cambio cambié cambiando, enviar envía envío envié enviado, utilizar utilicé
  utiliza utilice, pintar pinta pintó pintado, necesitar necesito necesita necesitamos, visitar
  visita visité, invitar invita invitaron, sembrar siembra sembré sembrado, enseñar enseña
  enseñó enseñanza, soñar sueña soñé sueño, montar monta montó montando, tocar toca
  toqué tocando toco, pagar pagó pagué paga pagando, cerrar cierra cerró cerrado cierran, doler
  duele dolió duelen, cuidar cuida cuido cuidando, apuntar apunta apunté apuntarse apuntarme,
  cantar canta cantó cantando canto, bailar baila bailó bailando baile
`;

/** Pairs of words that do not find each other. */
const strangers = `
  cuento/cuenta marco/Marcos marco/marca puerto/puerta casa/caso mar/María madera/madre carta/cartera humedad/humo
  libro/libra país/paisaje correo/correr ciudad/ciudadano color/calor motor/moto pastor/pasta barrio/barra Juana/Juan
  Julio/Julia Mario/marzo vino/venir pelota/pelo sol/solo cuarto/cuatro arroz/arrozal cana/caña pollo/poner bolso/bolsa
`;

const searchedTokens = (form: string, written: string) => [...wideTokens(form, written)];
const formOf = (word: string) => findForms(word)[0]?.form ?? '';

function finds(searched: string, word: string): boolean {
  const tokens = tokensOfWord(formOf(word), word);
  return [stem(formOf(searched)), ...searchedTokens(formOf(searched), searched)].some((token) =>
    tokens.includes(token),
  );
}

test('a verb finds its forms and they find it, and so do a diminutive and its noun', () => {
  const missed = families.split(',').flatMap((group) => {
    const [verb = '', ...others] = group.trim().split(/\s+/);
    return others.flatMap((form) => [
      ...(finds(verb, form) ? [] : [`${verb} > ${form}`]),
      ...(finds(form, verb) ? [] : [`${form} > ${verb}`]),
    ]);
  });
  assert.deepEqual(missed, []);
});

test('accents may be omitted in most forms', () => {
  for (const pair of 'compraria/comprar arreglo/arregló comian/comer reparacion/reparar oia/oír salio/salir'.split(
    ' ',
  )) {
    const [searched = '', word = ''] = pair.split('/');
    assert.ok(finds(searched, word), pair);
  }
});

test('nouns do not find each other', () => {
  const met = strangers
    .trim()
    .split(/\s+/)
    .filter((pair) => {
      const [one = '', other = ''] = pair.split('/');
      return finds(one, other) || finds(other, one);
    });
  assert.deepEqual(met, []);
});

test('function words and words that are not Spanish have no wide token', () => {
  for (const word of ['de', 'este', '123', '漢', 'mp3', 'a'.repeat(64)]) {
    assert.deepEqual(searchedTokens(formOf(word), word), [], word);
  }
});

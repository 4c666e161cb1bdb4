import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches, parseQuery } from '../search/query/parse-query.ts';
import { tokensOf } from './words.ts';

/** Pairs of forms that have the same token. */
const families = pairsOf(`
  luz/luces mes/meses canción/canciones tomate/tomates país/países rey/reyes ley/leyes club/clubes
  club/clubs tabú/tabúes tabú/tabús rubí/rubíes rubí/rubís sofá/sofás café/cafés régimen/regímenes
  actriz/actrices pez/peces vez/veces joven/jóvenes examen/exámenes crisis/crisis lunes/lunes
  pan/panes mar/mares sal/sales sol/soles flor/flores árbol/árboles papel/papeles hotel/hoteles
  red/redes pared/paredes ciudad/ciudades verdad/verdades universidad/universidades virtud/virtudes
  voz/voces cruz/cruces nuez/nueces juez/jueces lápiz/lápices raíz/raíces feliz/felices
  capaz/capaces nariz/narices matriz/matrices perdiz/perdices paz/paces maíz/maíces
  casa/casas libro/libros puerta/puertas puerto/puertos año/años niño/niños niña/niñas ojo/ojos
  ola/olas día/días tío/tíos río/ríos idea/ideas héroe/héroes canoa/canoas línea/líneas
  pie/pies serie/series especie/especies nube/nubes llave/llaves nave/naves ave/aves calle/calles
  valle/valles noche/noches coche/coches leche/leches parque/parques bosque/bosques cheque/cheques
  viaje/viajes eje/ejes reloj/relojes jefe/jefes padre/padres madre/madres hombre/hombres
  nombre/nombres pobre/pobres grande/grandes verde/verdes gente/gentes fuente/fuentes arte/artes
  parte/partes norte/nortes torre/torres clase/clases frase/frases base/bases fase/fases cine/cines
  nene/nenes sede/sedes pose/poses vale/vales tele/teles puré/purés aire/aires baile/bailes
  chile/chiles mole/moles índice/índices enlace/enlaces dulce/dulces bronce/bronces doce/doces
  once/onces avance/avances bebé/bebés comité/comités paté/patés chalé/chalés bidé/bidés
  menú/menús espíritu/espíritus tribu/tribus taxi/taxis bikini/bikinis kiwi/kiwis esquí/esquís
  bambú/bambúes iraní/iraníes israelí/israelíes marroquí/marroquíes hindú/hindúes
  bus/buses autobús/autobuses gas/gases tos/toses dios/dioses interés/intereses compás/compases
  gris/grises anís/anises virus/virus tesis/tesis análisis/análisis martes/martes jueves/jueves
  carácter/caracteres espécimen/especímenes imagen/imágenes origen/orígenes volumen/volúmenes
  virgen/vírgenes margen/márgenes álbum/álbumes álbum/álbums ítem/ítems fan/fans chat/chats
  robot/robots blog/blogs póster/pósteres máster/másteres líder/líderes fax/faxes box/boxes
  sándwich/sándwiches superávit/superávits penalti/penaltis penalty/penaltis hobby/hobbies
  jersey/jerséis cookie/cookies ONG/ONGs león/leones avión/aviones limón/limones jardín/jardines
  razón/razones corazón/corazones pulmón/pulmones alemán/alemanes capitán/capitanes orden/órdenes
  crimen/crímenes fin/fines tren/trenes plan/planes son/sones don/dones gen/genes bar/bares
  par/pares ser/seres color/colores lugar/lugares mujer/mujeres dólar/dólares azúcar/azúcares
  animal/animales canal/canales fácil/fáciles útil/útiles azul/azules mil/miles gol/goles
  buey/bueyes quizá/quizás mamá/mamás papá/papás bonsái/bonsáis
  profesor/profesora profesor/profesores profesor/profesoras doctor/doctora autor/autoras
  lector/lectora escritor/escritoras director/directora trabajador/trabajadora señor/señora
  señor/señoras asesor/asesora pastor/pastora jugador/jugadoras cansado/cansada cansado/cansadas
  comprado/comprada perdido/perdida perdido/perdidas unido/unidas usado/usada leído/leída
  abogado/abogada empleado/empleadas casado/casadas querido/querida bienvenido/bienvenidas
  español/española español/españoles español/españolas inglés/inglesa inglés/ingleses
  inglés/inglesas francés/francesa francés/franceses portugués/portuguesas escocés/escocesa viscoso/viscosa
  japonés/japonesa marqués/marquesa alemán/alemana alemán/alemanas catalán/catalana
  musulmán/musulmanas campeón/campeona campeón/campeonas león/leona famoso/famosa
  hermoso/hermosas curioso/curiosa esposo/esposa buenísimo/buenísima presidente/presidenta
  italiano/italiana cristianos/cristianas mexicano/mexicanas cubano/cubana humano/humanas
  pequeño/pequeña madrileño/madrileñas compañero/compañera activo/activa deportivo/deportivas
  usuario/usuaria necesario/necesarias danés/danesa danés/danesas daneses/danesa galés/galesas
  dependiente/dependienta andaluz/andaluza andaluza/andaluces clientes/clientas
  tenés/tenes podés/podes querés/queres sabés/sabes decís/decis corazón/corazon también/tambien
`);

/** Pairs of different words that look alike. */
const strangers = pairsOf(`
  puerto/puerta caso/casa casos/casas sale/sal salen/sal universo/universidad libro/libra
  libros/libras banco/banca bancos/bancas ano/año anos/años cana/caña pena/peña sueno/sueño
  marco/Marcos toma/Tomás punto/punta rato/rata modo/moda copo/copa cuento/cuenta marco/marca foco/foca gas/gasa mes/mesa
  meses/mesas tres/tre mar/mare país/paisaje pan/pana panes/panas cosa/coser cosa/coso plato/plata
  barco/barca fruto/fruta cero/cera cara/caro carta/carto carro/carra cuadro/cuadra cubo/cuba
  derecho/derecha pero/pera pelo/pela palo/pala pato/pata paso/pasa pesa/peso piso/pisa
  pozo/poza ramo/rama rayo/raya resto/resta ruedo/rueda suelo/suela tiro/tira trato/trata
  velo/vela bolo/bola bolso/bolsa brazo/braza cargo/carga cinto/cinta color/cola col/cola sol/sola
  cuerdo/cuerda fondo/fonda grado/grada prado/prada helado/hela lado/lada lomo/loma
  mango/manga mano/mana manto/manta medio/media medias/medios músico/música políticos/políticas
  nado/nada naranjo/naranja manzano/manzana olivo/oliva cerezo/cereza ciruelo/ciruela
  partido/parte pino/pina piño/piña plano/plana plan/plana plaza/plazo puesto/puesta rosa/rosal
  rosa/roso seto/seta soplo/sopla tema/temo tomo/toma uno/uña una/uña vaso/vasa vino/viña vid/vida
  viudo/viuda hora/ahora flor/flora flores/floras mejor/mejora valor/valora color/colora
  perdón/perdona razón/razona función/funciona canción/canciona persona/personaje
  corazón/coraza león/lejía calor/calar amor/amar amor/moro humor/humo rumor/rumo temor/tema
  pastor/pasta motor/moto actor/acto doctor/docto autor/auto sentido/siento cada/cado todo/toda
  hecho/hecha dicho/dicha sed/sede cine/sin red/rede luce/luz hace/haz dice/diez nace/naz
  pase/pas vale/val tele/tel dios/dio martes/marte Vanesa/van Teresa/ter antes/ante menos/meno extra/extrae pose/posee seis/sei
  comer/comida cantar/canto trabajo/trabajar correr/correo amigo/amiga hijo/hija gato/gata
  hermano/hermana perro/perra madre/madera padre/padrón gente/agente ciudad/ciudadano nación/nacional
  mundo/mundial Juan/Juana Julio/Julia Mario/María Ana/Año Martín/Martina Mariano/Mariana
  Antonio/Antonia Francisco/Francisca Luis/Luisa Carlos/Carla Daniel/Daniela Gabriel/Gabriela
  Adrián/Adriana Julián/Juliana Paulo/Paula Franco/Francia inglés/Inglaterra España/español
  cena/seña mono/moño mona/moña sonar/soñar tina/tiña tino/tiño lena/leña dona/doña
  campana/campaña montana/montaña cabana/cabaña manan/mañana punal/puñal ordenar/ordeñar
  Espana/España Nunez/Núñez senor/señor caza/casa cazar/casar vaca/baca hola/ola haya/halla
  tuvo/tubo vello/bello pollo/poyo taza/tasa abrazar/abrasar
  corto/corta nuevo/nueva bueno/buena ganas/ganes era/ere ir/ira le/les la/las lo/los
  danés/dan galés/gal interés/inter archivar/archivo sueño/sueña granos/grana plano/plana Tatiana/tatiano
  te/tes de/des se/ses tu/tus mi/mis su/sus si/sis no/nos mas/ma dos/do res/re gas/ga vos/vo
`);

function pairsOf(list: string): [string, string][] {
  return list
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [one = '', other = ''] = pair.split('/');
      return [one, other];
    });
}

function haveSameToken([one, other]: [string, string]): boolean {
  return tokensOf(one).join(' ') === tokensOf(other).join(' ');
}

test('a word has the same token as its plural and its regular feminine', () => {
  assert.ok(families.length >= 150);
  assert.deepEqual(
    families.filter((pair) => !haveSameToken(pair)),
    [],
  );
});

test('different words have different tokens', () => {
  assert.ok(strangers.length >= 150);
  assert.deepEqual(strangers.filter(haveSameToken), []);
});

test('a word finds its other forms at each typed letter from the third on', () => {
  const lost = families.flatMap(([one, other]) =>
    [one, other].flatMap((word) =>
      Array.from({ length: word.length - 2 }, (_, i) => word.slice(0, i + 3)).flatMap((begun) =>
        [one, other]
          .filter((text) => !matches(parseQuery(begun, true), text))
          .map((text) => `${begun}(${word}) ${text}`),
      ),
    ),
  );
  assert.deepEqual(lost, []);
});

test('a word has the same token with and without accents', () => {
  const words = [...families, ...strangers].flat();
  const marks = ['\u0300', '\u0301', '\u0302', '\u0308'];
  const odd = words.filter((word) => {
    const [token] = tokensOf(word);
    const plain = word.normalize('NFD').replace(/\u0301|\u0308/g, '');
    const others = marks.map((mark) => plain.replace(/[aeiou]/gi, `$&${mark}`));
    const forms = [
      plain,
      plain.normalize('NFC'),
      word.normalize('NFD'),
      word.toUpperCase(),
      ...others,
    ];
    return forms.some((form) => tokensOf(form).join(' ') !== token);
  });
  assert.deepEqual(odd, []);
});

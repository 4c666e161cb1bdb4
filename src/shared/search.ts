import Type, { type Static } from 'typebox';
import { Channel } from './channels.ts';
import { Comment } from './comments.ts';
import { Person } from './people.ts';
import { Nullable } from './schema.ts';

/** Newest first, or texts with consecutive words first. */
export const SearchOrder = Type.Union([Type.Literal('new'), Type.Literal('relevance')]);
export type SearchOrder = Static<typeof SearchOrder>;

const missing = Type.Integer({
  minimum: 0,
  maximum: 2,
  description: 'Cuántas de las palabras le faltan; solo si no hay nada que las tenga todas.',
});
const SnippetPart = Type.Object({
  text: Type.String(),
  isHit: Type.Boolean({ description: 'Si es una de las palabras que se buscan.' }),
});
export type SnippetPart = Static<typeof SnippetPart>;

export const SearchHit = Type.Object({
  comment: Comment,
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  snippet: Type.Array(SnippetPart, { description: 'El trozo del comentario en que están.' }),
  missing,
});
export type SearchHit = Static<typeof SearchHit>;

/** A copy of the type, because a response cannot contain the schema of comments in both hits and channels. */
const FoundChannel = Type.Object({
  ...Channel.properties,
  comments: Type.Unsafe<Comment[]>(Type.Array(Type.Unknown(), { description: 'Siempre vacío.' })),
  missing,
});
export type FoundChannel = Static<typeof FoundChannel>;

export const SearchResults = Type.Object({
  data: Type.Array(SearchHit),
  people: Type.Array(Person, {
    description:
      'Personas que se llaman así, como mucho cinco de las mil más nuevas con esas palabras; solo en la primera página.',
  }),
  channels: Type.Array(FoundChannel, {
    description: 'Canales en cuyo nombre o descripción están; solo en la primera página.',
  }),
  next: Nullable(
    Type.String({
      description:
        'Lo que toma `after` para seguir. Una página puede traer menos de lo que se pide, y aun así seguir otra.',
    }),
  ),
  searched: Nullable(
    Type.String({
      description: 'Lo que se buscó en realidad, si no había nada y se corrigió; si no, null.',
    }),
  ),
  suggestion: Nullable(
    Type.String({
      description: 'Con `exact=1`, si no se encontró nada: lo que sí se encontraría.',
    }),
  ),
  isComplete: Type.Boolean({
    description:
      'false si pueden faltar comentarios antiguos: el índice no está completo, o no dio tiempo.',
  }),
});
export type SearchResults = Static<typeof SearchResults>;

import { type ReactNode, useState } from 'react';
import { messagesText, peopleText } from '../../../shared/import-texts.ts';
import { limits } from '../../../shared/limits.ts';
import type { ChatSummary, Plan } from '../../../shared/moving-in.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import type { Form } from '../../ui/forms/use-form.ts';
import choices from '../../ui/styles/settings.module.css';
import styles from './people-fields.module.css';

type People = Plan['people'];

/** The decisions about people in a form with `PeopleFields`, in the order of these. */
export function readPeople(form: HTMLFormElement, people: People): People {
  const content = new FormData(form);
  return people.map(({ source }, index) => {
    const isOut = content.has(`out.${index}`);
    return { source, name: isOut ? null : String(content.get(`people.${index}`) ?? '') };
  });
}

interface PeopleFieldsProps {
  people: People;
  counts: ChatSummary['people'];
  field: Form['field'];
}

/** The people of a chat: each is renamed or left out, and those with the same name become one. */
export function PeopleFields({ people, counts, field }: PeopleFieldsProps) {
  const messagesOf = new Map(counts.map(({ source, messages }) => [source, messages]));
  return (
    <CountedNames people={people}>
      <ul className={`frame ${styles.list}`}>
        {people.map((person, index) => (
          <PersonFields
            key={person.source}
            person={person}
            index={index}
            messages={messagesOf.get(person.source) ?? 0}
            field={field(`people.${index}`)}
          />
        ))}
      </ul>
    </CountedNames>
  );
}

/** A group of fields that says how many people these names are. Typing does not render the fields again. */
function CountedNames({ people, children }: { people: People; children: ReactNode }) {
  const [decided, setDecided] = useState(people);
  const names = decided.flatMap(({ name }) => (name === null ? [] : [name.trim()]));
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const out = decided.length - names.length;
  return (
    <fieldset
      className={`stack ${choices.choices}`}
      onInput={({ currentTarget: { form } }) => form && setDecided(readPeople(form, people))}
    >
      <legend>Personas</legend>
      <p className="note">
        Aparecen con estos nombres, sin cuenta ni foto, y después cada una puede recuperar lo suyo.
        A quien está dos veces, ponle el mismo nombre.
      </p>
      {children}
      <p role="status">
        <span>{`En el canal: ${peopleText(new Set(names).size)}.`}</span>{' '}
        {repeated.size > 0 && <span>{`Se juntan: ${[...repeated].join(', ')}.`}</span>}{' '}
        {out > 0 && <span>{`Se ${out === 1 ? 'queda' : 'quedan'} fuera: ${out}.`}</span>}
      </p>
    </fieldset>
  );
}

interface PersonFieldsProps {
  person: People[number];
  index: number;
  messages: number;
  field: ReturnType<Form['field']>;
}

function PersonFields({ person: { source, name }, index, messages, field }: PersonFieldsProps) {
  const [isOut, setOut] = useState(name === null);
  return (
    <li className={`row ${styles.person}`}>
      <TextField
        {...field}
        label={source}
        hint={messagesText(messages)}
        defaultValue={name ?? ''}
        required
        disabled={isOut}
        maxLength={limits.rawFactor * limits.userNameChars}
        autoComplete="off"
        dir="auto"
      />
      <CheckField
        name={`out.${index}`}
        label="Dejar fuera"
        aria-label={`Dejar fuera a ${source}`}
        checked={isOut}
        onChange={({ currentTarget }) => setOut(currentTarget.checked)}
      />
    </li>
  );
}

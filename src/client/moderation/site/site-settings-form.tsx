import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import { siteNameOf } from '../../../shared/site-name.ts';
import type {
  CommunityFollow,
  Readers,
  Registration,
  SavedSettings,
  SettingsChange,
  SiteSettings,
} from '../../../shared/site-settings.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { callKey } from '../../api/user-query.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { deviceZone } from '../../dom/device-zone.ts';
import { useEntryState } from '../../router/entry-state.ts';
import { showFragment, useFragment } from '../../router/navigation.tsx';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Alert } from '../../ui/notice.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import forms from '../../ui/styles/form-page.module.css';
import choices from '../../ui/styles/settings.module.css';
import { texts } from '../../ui/texts.ts';
import { nextStep } from './first-steps.tsx';
import styles from './site-settings.module.css';
import { getSettings, saveSettings } from './site-settings-calls.ts';

const registrations = {
  open: ['Cualquiera', 'Entra en cuanto crea su cuenta.'],
  invitation: ['Con invitación', 'Quien ya tiene cuenta invita desde sus ajustes.'],
  request: ['Con permiso', 'Cualquiera la pide, y alguien del equipo la aprueba.'],
  closed: ['Nadie', 'Quienes ya tienen cuenta siguen como siempre.'],
} satisfies Record<Registration, [label: string, hint: string]>;

const readerChoices = {
  everyone: ['Cualquiera', 'También sin cuenta, y lo encuentran los buscadores.'],
  members: ['Solo los miembros', 'Quien no ha entrado ve el nombre, la bienvenida y el contacto.'],
} satisfies Record<Readers, [label: string, hint: string]>;

const followChoices = {
  all: [
    'De todo lo que se escribe',
    'Cada canal avisa una vez, hasta que lo miran. De los canales nuevos se avisa también por correo. Recomendado si solo leen los miembros.',
  ],
  chosen: [
    'De lo suyo y de lo que siguen',
    'Lo suyo: respuestas, menciones y gracias. Lo que siguen: los canales donde pulsan «Seguir».',
  ],
} satisfies Record<CommunityFollow, [label: string, hint: string]>;

/** The level that the form proposes until an admin saves one, for each choice of who may read. */
const presets: Record<Readers, CommunityFollow> = { everyone: 'chosen', members: 'all' };

const whoReadsNow = {
  everyone: 'Ahora lo puede leer cualquiera.',
  members: 'Ahora solo lo leen los miembros.',
} satisfies Record<Readers, string>;

/** The sentence that explains a change of who may read, before it is saved. */
function consequence({ readers, registration }: SiteSettings): string {
  if (readers === 'everyone')
    return 'Desde que lo guardes lo puede leer cualquiera, también lo que ya está escrito.';
  const anyone = registration === 'open' ? ' Cualquiera que cree una cuenta podrá leer.' : '';
  return `Desde que lo guardes solo leen los miembros. Las copias que otros hicieran antes seguirán existiendo.${anyone}`;
}

/** Rules to be kept or changed, filled in until some are saved. */
const exampleRules = [
  'Trata a los demás como te gustaría que te trataran: con respeto, también cuando no estés de acuerdo.',
  'Escribe con tu nombre o con uno por el que te conozcan.',
  'No publiques datos ni fotos de otras personas sin su permiso.',
  'Nada de publicidad, insultos ni contenido ilegal.',
  'Si ves algo que no debería estar aquí, denúncialo: alguien del equipo lo mirará.',
].join('\n\n');

const fixed = 'Lo decide la configuración del servidor.';

const link = { label: 'Texto del enlace', href: 'Dirección del enlace' } as const;

const hints = {
  name: 'Si lo dejas vacío, se verá «tertulia».',
  welcome: 'Bajo el nombre, en el inicio.',
  rules: 'Se publican en la página «Normas», y quien crea una cuenta las acepta.',
  contact: 'Un correo electrónico o una frase. Lo lee todo el mundo.',
  zone: 'Las fechas son en la hora de esta zona, y a sus 8:00 se envían los resúmenes por correo a quien no tenga otra. Si la dejas vacía, vale la del servidor.',
  reviewsFirstPosts: `Lo primero que escribe una cuenta espera a que alguien del equipo lo apruebe; lo demás, ya no. También espera lo que da señales de publicidad: en los primeros ${limits.youngDays} días de una cuenta, más de ${limits.youngLinks} enlaces, ${limits.youngChannels} canal o ${limits.youngComments} comentarios al día. Recomendado si cualquiera puede entrar.`,
  links: 'Ninguno o los tres. Sin ninguno se ven los de siempre.',
} as const;

const labels = {
  name: 'Nombre',
  welcome: 'Frase de bienvenida',
  rules: 'Normas',
  contact: 'Contacto',
  readers: 'Quién lee',
  follow: 'De qué se avisa a los miembros',
  registration: 'Quién puede crear una cuenta',
  reviewsFirstPosts: 'Revisar la primera publicación de cada cuenta',
  links: 'Enlaces del pie de página',
  zone: 'Zona horaria',
} satisfies Record<keyof SiteSettings, string>;
const settingNames = Object.keys(labels) as (keyof SiteSettings)[];
const linkNumbers = [0, 1, 2];

/**
 * The value of a field, as JSON, that is not sent. Until they are saved for the first time, nothing is chosen where one
 * chooses, and all rules are sent.
 */
function unchangedValue(name: keyof SiteSettings, saved: SavedSettings): string {
  if (saved.decided.includes(name)) return JSON.stringify(saved[name]);
  if (name === 'rules') return '';
  if (name === 'readers' || name === 'registration' || name === 'follow') return JSON.stringify('');
  return JSON.stringify(saved[name]);
}

/**
 * Changes that an admin's form has as it opens: what members are told of, if only who reads was decided, the rules and
 * the zone of this device, until some are saved, and the founder's address as contact, until anything is saved.
 */
const firstChangesOf = (
  { decided, fixed, readers }: SavedSettings,
  email: string,
): SettingsChange => ({
  ...(decided.includes('readers') && !decided.includes('follow') && { follow: presets[readers] }),
  ...(!decided.includes('rules') && { rules: exampleRules }),
  ...(!decided.includes('zone') && { zone: deviceZone() }),
  ...(decided.length === 0 &&
    !fixed.includes('contact') &&
    email.includes('@') && { contact: email }),
});

/** Names the zone of this device, since most people do not know what zones are called. */
const zoneHint = () =>
  deviceZone() ? `${hints.zone} Este dispositivo: ${deviceZone()}.` : hints.zone;

const ownContact = 'Contacto (hemos puesto tu correo: lo leerá cualquiera)';

/** The form's settings that differ from the saved ones and can be changed here. */
const differing = (wanted: SettingsChange, saved: SavedSettings): SettingsChange =>
  Object.fromEntries(
    settingNames
      .filter((name) => !saved.fixed.some((one) => one === name) && wanted[name] !== undefined)
      .filter((name) => JSON.stringify(wanted[name]) !== unchangedValue(name, saved))
      .map((name) => [name, wanted[name]]),
  );

interface SettingsFormProps {
  saved: SavedSettings;
  /** Moderators who are not admins can only read the settings. */
  isAdmin: boolean;
  /** Id of a channel of the forum, null without one. */
  channelId: string | null;
  /** Refetches the settings in force. */
  reload: () => Promise<{ data: SavedSettings | undefined }>;
}

const readSettings = (form: HTMLFormElement): SettingsChange => {
  const content = new FormData(form);
  const text = (name: string) => String(content.get(name) ?? '');
  const links = linkNumbers.map((index) => ({
    label: text(`links.${index}.label`),
    href: text(`links.${index}.href`),
  }));
  return {
    name: text('name'),
    welcome: text('welcome'),
    rules: text('rules'),
    contact: text('contact'),
    readers: text('readers') as Readers,
    follow: text('follow') as CommunityFollow,
    registration: text('registration') as Registration,
    reviewsFirstPosts: content.has('reviewsFirstPosts'),
    zone: text('zone'),
    links: links.some(({ label, href }) => label || href) ? links : [],
  };
};

export function SettingsForm({ saved: newest, isAdmin, channelId, reload }: SettingsFormProps) {
  const { changeSite } = useStore();
  const queryClient = useQueryClient();
  const { id: userId, email } = useUser();
  const fragment = useFragment();
  const isFragmentPending = useEntryState((state) => state.isFragmentPending);
  useEffect(() => {
    const [field] = isFragmentPending ? document.getElementsByName(fragment) : [];
    if (field) showFragment(field);
  }, [fragment, isFragmentPending]);
  const firstChanges = (base: SavedSettings) => (isAdmin ? firstChangesOf(base, email) : {});
  /**
   * Unsaved changes, with the version of the settings that they are based on, so that a newer version is not
   * overwritten unseen.
   */
  const [typed, setTyped] = useState(() => ({
    base: newest,
    changes: firstChanges(newest),
    round: 0,
  }));
  const { changes } = typed;
  const saved = isAdmin ? typed.base : newest;
  const changed = settingNames.filter((name) => name in changes);
  const shown = { ...saved, ...changes };
  const isTyped = JSON.stringify(changes) !== JSON.stringify(firstChanges(saved));
  const startAnew = (base: SavedSettings) =>
    setTyped({ base, changes: firstChanges(base), round: typed.round + 1 });

  const form = useForm({
    async send(text) {
      // Clears the message about an earlier save, since this one may fail.
      showStatus(null);
      const result = await orFailure(
        request(saveSettings, {
          revision: saved.revision,
          change: text('showsImported') ? { ...changes, showsImported: true } : changes,
        }),
      );
      if (result instanceof Failure) {
        if (result.status === 404) await reload();
        throw result;
      }
      const { name, welcome, readers, registration, zone, contact, links } = result;
      queryClient.setQueryData(callKey(userId, getSettings), result);
      changeSite({
        name,
        welcome,
        readers,
        registration,
        zone,
        hasContact: contact !== '',
        ...('links' in changes && { socialLinks: links }),
      });
      const next = nextStep({ saved: result, channelId }, userId);
      showStatus({ text: 'Ajustes guardados', ...(next && { links: [next] }) });
      startAnew(result);
    },
    failedText: ({ code, text }) =>
      `No se han guardado. ${code === 'edit_conflict' ? 'Otra persona los ha guardado mientras tanto. Lo que has escrito sigue aquí: copia lo que quieras conservar y carga lo nuevo.' : text}`,
    isTyped: () => isTyped,
    onCancel: isTyped
      ? () => {
          form.reset();
          startAnew(saved);
        }
      : undefined,
  });
  const { ref } = form.props;
  useLayoutEffect(() => {
    // The button that had the focus is removed.
    if (typed.round > 0 && document.activeElement === document.body)
      ref.current?.querySelector('input')?.focus();
  }, [typed.round, ref]);
  const loadNew = async () => {
    const { data } = await reload();
    if (!data) return;
    form.reset();
    startAnew(data);
  };

  // Moderators read what is in force.
  const isDecided = (name: keyof SiteSettings) => !isAdmin || saved.decided.includes(name);
  const readers = changes.readers ?? (isDecided('readers') ? saved.readers : undefined);
  const preset = readers && presets[readers];
  const follow = isDecided('follow') ? saved.follow : preset;
  const changesReaders = shown.readers !== saved.readers;
  const isFixed = (name: string) => saved.fixed.some((one) => one === name);
  const attributes = (name: string, setting = name) => ({
    ...form.field(name),
    autoComplete: 'off',
    dir: 'auto',
    ...((!isAdmin || isFixed(setting)) && { readOnly: true }),
  });
  const field = (name: 'name' | 'welcome' | 'rules' | 'contact' | 'zone') => ({
    label: labels[name],
    hint: isFixed(name) ? fixed : hints[name],
    defaultValue: firstChanges(saved)[name] ?? saved[name],
    ...attributes(name),
  });

  return (
    <form
      {...form.props}
      className={`stack ${forms.form} ${styles.fields}`}
      onInput={({ currentTarget, target }) =>
        setTyped((now) => {
          const wanted = readSettings(currentTarget);
          const isOfReaders = target instanceof HTMLInputElement && target.name === 'readers';
          if (isOfReaders && wanted.readers && !now.base.decided.includes('follow'))
            wanted.follow = presets[wanted.readers];
          return { ...now, changes: differing(wanted, now.base) };
        })
      }
    >
      {/* A new key resets the fields to the saved values. */}
      <div key={typed.round} className={`stack ${forms.form}`}>
        <TextField {...field('name')} maxLength={limits.rawFactor * limits.siteNameChars} />
        <TextField {...field('welcome')} />
        <fieldset className={`stack tight ${choices.choices}`} disabled={!isAdmin}>
          <legend>{labels.readers}</legend>
          <p className="note">{whoReadsNow[saved.readers]}</p>
          {Object.entries(readerChoices).map(([value, [label, hint]]) => (
            <CheckField
              key={value}
              type="radio"
              name="readers"
              value={value}
              {...{ label, hint }}
              defaultChecked={saved.readers === value && isDecided('readers')}
            />
          ))}
          {changesReaders &&
            (channelId === null ? (
              <p className="note">{consequence(shown)}</p>
            ) : (
              <CheckField name="isSure" label="De acuerdo" hint={consequence(shown)} required />
            ))}
          {form.failure?.errorOf('readers') && <Alert>{form.failure.errorOf('readers')}</Alert>}
        </fieldset>
        {/* A new key chooses what suits those who read. */}
        <fieldset key={follow} className={`stack tight ${choices.choices}`} disabled={!isAdmin}>
          <legend>{labels.follow}</legend>
          <p className="note">
            En la página «Avisos», y por correo o en el dispositivo a quien los recibe así. Cada
            persona puede elegir otra cosa en sus ajustes.
          </p>
          {Object.entries(followChoices).map(([value, [label, hint]]) => (
            <CheckField
              key={value}
              type="radio"
              name="follow"
              value={value}
              {...{ label, hint }}
              defaultChecked={value === follow}
            />
          ))}
        </fieldset>
        <fieldset className={`stack tight ${choices.choices}`} disabled={!isAdmin}>
          <legend>{labels.registration}</legend>
          {Object.entries(registrations).map(([value, [label, hint]]) => (
            <CheckField
              key={value}
              type="radio"
              name="registration"
              value={value}
              {...{ label, hint }}
              defaultChecked={saved.registration === value && isDecided('registration')}
            />
          ))}
        </fieldset>
        <TextAreaField {...field('rules')} rows={12} />
        <TextField
          {...field('contact')}
          {...('contact' in firstChanges(saved) && { label: ownContact })}
        />
        <TextField {...field('zone')} hint={zoneHint()} dir="ltr" spellCheck={false} />
        <CheckField
          label={labels.reviewsFirstPosts}
          hint={hints.reviewsFirstPosts}
          name="reviewsFirstPosts"
          disabled={!isAdmin}
          defaultChecked={saved.reviewsFirstPosts}
        />
        <details
          open={form.failure?.fields.some(({ field }) => field.startsWith('links')) || undefined}
        >
          <summary>{labels.links}</summary>
          <fieldset className={`stack ${forms.form}`} aria-label={labels.links}>
            <p className="note">{isFixed('links') ? fixed : hints.links}</p>
            {linkNumbers.flatMap((index) =>
              (['label', 'href'] as const).map((part) => (
                <TextField
                  key={part + index}
                  label={`${link[part]} ${index + 1}`}
                  {...attributes(`links.${index}.${part}`, 'links')}
                  defaultValue={saved.links[index]?.[part] ?? ''}
                />
              )),
            )}
          </fieldset>
        </details>
      </div>
      <details>
        <summary>Vista previa</summary>
        <div className={`box ${styles.shown}`}>
          <strong>
            <bdi>{siteNameOf(shown)}</bdi>
          </strong>
          <p dir="auto">{shown.welcome || texts.lede}</p>
          <CommentText text={shown.rules} />
        </div>
      </details>
      {form.failure?.code === 'edit_conflict' && (
        <p>
          <button type="button" className={buttons.quiet} onClick={loadNew}>
            Cargar lo nuevo
          </button>
        </p>
      )}
      {form.failure?.code === 'imported_words_visible' && (
        <CheckField
          name="showsImported"
          label="De acuerdo: cualquiera leerá lo que escribieron"
          required
        />
      )}
      {isAdmin && changed.length > 0 && (
        <p className="note">{`Sin guardar: ${changed.map((name) => labels[name]).join(', ')}.`}</p>
      )}
      {isAdmin && <FormEnd form={form} />}
    </form>
  );
}

import type { Build } from '../../../shared/site-settings.ts';

const dateOf = (iso: string) => new Date(iso).toLocaleDateString('es', { dateStyle: 'long' });

/** Which version serves the site, and whether it should be looked after. */
export function BuildLine({ build: { name, madeAt, isOld, newer } }: { build: Build }) {
  return (
    <p className="note">
      <span>{`Versión ${name}${madeAt === null ? '' : ` del ${dateOf(madeAt)}`}. `}</span>
      {isOld && <span>Tiene más de un año: pide a quien lleva el servidor que la actualice. </span>}
      {newer && (
        <span>
          <span>Hay una versión más reciente: </span>
          <a href={newer.url} rel="noopener">{`${newer.title} (${dateOf(newer.at)})`}</a>
          <span>.</span>
        </span>
      )}
    </p>
  );
}

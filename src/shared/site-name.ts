/** The site's name unless the community has set another. */
export const defaultSiteName = 'tertulia';

interface Named {
  /** Empty if the community has set none. */
  name: string;
}

export const siteNameOf = ({ name }: Named): string => name || defaultSiteName;

/** Seed of the tiles that stand for the community, where it has no other picture. */
export const siteTile = (site: Named): string =>
  siteNameOf(site)
    .normalize('NFD')
    .replace(/[^a-z0-9]+/gi, '-')
    .slice(0, 64);

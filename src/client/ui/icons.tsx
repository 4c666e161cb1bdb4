/** Icons by Lucide (ISC License, https://lucide.dev/license). Its own React components would add 2 kB to every page. */
export interface IconProps {
  /** Width and height in CSS pixels at the default text size. */
  size: number;
  /** Accessible name, for an icon without text beside it. */
  label?: string | undefined;
}

/** Grows with the text: 17 px is the page's default text size (base.css). */
export function Icon({ size, label, path }: IconProps & { path: string }) {
  const length = `${size / 17}rem`;
  return (
    <svg
      role={label && 'img'}
      aria-label={label}
      aria-hidden={!label}
      width={length}
      height={length}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}

export const Sun = (props: IconProps) => (
  <Icon
    {...props}
    path="M12 8a4 4 0 0 1 0 8 4 4 0 0 1 0-8M12 2v2m0 16v2M5 5l1.4 1.4m11.2 11.2L19 19M2 12h2m16 0h2M6.4 17.6 5 19M19 5l-1.4 1.4"
  />
);

export const Moon = (props: IconProps) => (
  <Icon
    {...props}
    path="M21 12.5A9 9 0 1 1 11.5 3c.4 0 .6.5.4.8a6 6 0 0 0 8.3 8.3c.3-.2.8 0 .8.4"
  />
);

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
    path="M12 8a4 4 0 0 1 0 8 4 4 0 0 1 0-8M12 2v2m0 16v2M4.93 4.93l1.41 1.41m11.32 11.32 1.41 1.41M2 12h2m16 0h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41"
  />
);

export const Moon = (props: IconProps) => (
  <Icon
    {...props}
    path="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401"
  />
);

import { Icon, type IconProps } from './icons.tsx';

/** Icons that only the account bundle uses. */

export const Camera = (props: IconProps) => (
  <Icon
    {...props}
    path="M13.997 4a2 2 0 0 1 1.76 1.05l.486.9A2 2 0 0 0 18.003 7H20a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2h1.997a2 2 0 0 0 1.759-1.048l.489-.904A2 2 0 0 1 10.004 4zM12 10a3 3 0 0 1 0 6 3 3 0 0 1 0-6"
  />
);

export const Check = (props: IconProps) => <Icon {...props} path="M20 6 9 17l-5-5" />;

export const CheckAll = (props: IconProps) => (
  <Icon {...props} path="M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16" />
);

export const ImagePlus = (props: IconProps) => (
  <Icon
    {...props}
    path="M16 5h6M19 2v6M21 11.5V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7.5M21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21M9 7a2 2 0 0 1 0 4 2 2 0 0 1 0-4"
  />
);

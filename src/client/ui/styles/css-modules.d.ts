/** Imported as `* as styles`, so that the bundler puts the name of a class where it is used. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export = classes;
}

declare module '*/base.css' {}

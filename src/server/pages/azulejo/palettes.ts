const palette = (ground: string, main: string, second: string, spark: string) => ({
  ground,
  main,
  second,
  spark,
});

/** Four colours that go together on a light and on a dark page. */
export type Palette = ReturnType<typeof palette>;

/** The only colours in drawings: a seed cannot add others. */
export const palettes: readonly [Palette, ...Palette[]] = [
  palette('#f3d9b1', '#a63d1a', '#e8a33d', '#23415a'),
  palette('#e9efe9', '#23415a', '#c4552d', '#d9a441'),
  palette('#f5ead6', '#3f5d45', '#d98a3d', '#a9c29b'),
  palette('#f6e3dc', '#6d2f45', '#d9a441', '#c77b6b'),
  palette('#f4efe2', '#1f4e5f', '#e07a3f', '#79a8a9'),
  palette('#f7ecd2', '#5b4a2f', '#c9a45c', '#2f6f75'),
  palette('#f3e7dd', '#3d3a5c', '#d98a5a', '#a8a3c0'),
  palette('#f1ead8', '#6a682f', '#c0603f', '#d8b85c'),
  palette('#efe9da', '#7c2e2a', '#8ea287', '#d8a657'),
  palette('#f4e9d4', '#2b584d', '#c4583a', '#d9a441'),
  palette('#f2e4cf', '#45627d', '#b5532f', '#e3b468'),
  palette('#24405a', '#f0dfc0', '#d9773f', '#7fa6a8'),
  palette('#8c3718', '#f6dfba', '#e8a33d', '#4a1d12'),
  palette('#33503f', '#f3e6cb', '#dd9143', '#8fb08a'),
];

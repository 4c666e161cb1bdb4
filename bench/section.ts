import type { DemoData } from './demo-data.ts';

/** One table of the results. */
export interface Section {
  title: string;
  columns: string[];
  rows: string[][];
  /** What one has to know to read the table. */
  notes?: string;
}

/** A part of the measurements, run alone on an otherwise idle machine. */
export type Part = (data: DemoData) => Promise<Section[]>;

/** Whether a goal is reached, as a cell. */
export function verdict(goal: string, isMet: boolean): string {
  return `${isMet ? 'yes' : '**no**'} (${goal})`;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The median of one figure over rounds. */
export function medianOf<T>(rounds: T[], figure: (round: T) => number): number {
  return median(rounds.map(figure));
}

export const inWords = {
  count: (value: number) => Math.round(value).toLocaleString('en'),
  percent: (ratio: number) => `${Math.round(ratio * 100)} %`,
  ms: (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`,
  micros: (value: number) => `${Math.round(value)} µs`,
  megabytes: (bytes: number) => `${Math.round(bytes / 1e6)} MB`,
  kilobytes: (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`,
};

import { readFileSync } from 'node:fs';

interface Memory {
  nowMb: number;
  /** Peak in MB since the start of the process. */
  peakMb: number;
}

/** The pids of the running children of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.split(' ').filter(Boolean).map(Number);
}

/** Resident memory (RSS) of a process. Linux only. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

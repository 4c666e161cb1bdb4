import { readFileSync } from 'node:fs';

interface Memory {
  nowMb: number;
  /** Since the process began. */
  peakMb: number;
}

/** What a process holds of the machine's memory (RSS). Linux only, as the machines are that run these tests. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

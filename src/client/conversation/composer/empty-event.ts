export const repetitions = ['never', 'week', 'fortnight', 'month'] as const;
type Repetition = (typeof repetitions)[number];

/** Dates that are being written, as the fields of the form have them. */
export interface EventDraft {
  title: string;
  location: string;
  allDay: boolean;
  /** Such as `2027-03-28`; empty until it is chosen. */
  day: string;
  /** Such as `20:30`. */
  hour: string;
  /** The last day of whole days; empty for one day. */
  lastDay: string;
  /** Empty without an end. */
  endHour: string;
  repeats: Repetition;
  /** The last day on which it may repeat. */
  until: string;
  /** Days that were taken out. */
  without: string[];
  /** As typed; empty for any number of people. */
  capacity: string;
}

export const emptyEvent: EventDraft = {
  ...{ title: '', location: '', allDay: false, day: '', hour: '', lastDay: '', endHour: '' },
  ...{ repeats: 'never', until: '', without: [], capacity: '' },
};

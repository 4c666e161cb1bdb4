import type { EventDraft } from './event-draft.ts';

export const emptyEvent: EventDraft = {
  ...{ title: '', location: '', allDay: false, day: '', hour: '', lastDay: '', endHour: '' },
  ...{ repeats: 'never', until: '', without: [], capacity: '' },
};

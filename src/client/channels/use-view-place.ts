import { useEffect, useState } from 'react';

/** Whether the first element that matches a selector is in view, above the window or below it; below it in the first render. */
export function useViewPlace(selector: string): 'in view' | 'above' | 'below' {
  const [place, setPlace] = useState<'in view' | 'above' | 'below'>('below');
  useEffect(() => {
    const element = document.querySelector(selector);
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      // A busy browser reports several changes at once, the newest last.
      for (const { isIntersecting, boundingClientRect } of entries) {
        if (isIntersecting) setPlace('in view');
        else setPlace(boundingClientRect.top < 0 ? 'above' : 'below');
      }
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [selector]);
  return place;
}

import { createContext, type ReactNode, type RefCallback, useContext, useState } from 'react';

/** The elements of a page that are scrolled to or get the focus, by their ids. */
export interface Anchors {
  /** A ref for such an element. */
  register: RefCallback<HTMLElement>;
  find: (id: string) => HTMLElement | undefined;
  /** Moves the focus to an element without scrolling: at once, or when it has been rendered. */
  focus: (id: string) => void;
}

function createAnchors(): Anchors {
  const elements = new Map<string, HTMLElement>();
  return {
    register(element) {
      if (!element) return;
      const { id } = element;
      elements.set(id, element);
      return () => {
        if (elements.get(id) === element) elements.delete(id);
      };
    },
    find: (id) => elements.get(id),
    focus(id) {
      const focus = () => elements.get(id)?.focus({ preventScroll: true });
      if (elements.has(id)) focus();
      else requestAnimationFrame(focus);
    },
  };
}

const AnchorsContext = createContext({} as Anchors);

export function AnchorsProvider({ children }: { children: ReactNode }) {
  const [anchors] = useState(createAnchors);
  return <AnchorsContext value={anchors}>{children}</AnchorsContext>;
}

export const useAnchors = () => useContext(AnchorsContext);

import {
  type FocusEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createRoot } from 'react-dom/client';
import type { StatusLink } from '../../router/entry-state.ts';
import { Link, usePath } from '../../router/navigation.tsx';
import { Icon } from '../icons.tsx';
import buttons from '../styles/button.module.css';
import { placeBar } from './place-bar.ts';
import styles from './status-view.module.css';

/** A message about something that has just happened. */
export interface Status {
  text: string;
  /** Whether it is announced to screen readers and not shown, because the page shows what has happened. */
  isOnlyHeard?: boolean;
  /** Pages of the site to open from the message. */
  links?: StatusLink[];
  /** An action offered by the message, such as undoing the reported change. */
  action?: { label: string; run: () => void };
  /**
   * Whether the action is offered for only half a minute, or longer while hovered or focused, and only while the
   * page is visible.
   */
  isBrief?: boolean;
}

const textStayMs = 6_000;
const linkStayMs = 12_000;
const briefStayMs = 30_000;
/** Screen readers announce only changes to a live region that already exists. */
const regionDelayMs = 100;

/** A separate root, so that no page renders or removes the bar. */
const root = createRoot(document.body.appendChild(document.createElement('div')));
root.render(<StatusBar latest={null} />);

/** Replaces the previous message; null only removes it. */
export function renderStatus(status: Status | null): void {
  root.render(<StatusBar latest={status} />);
}

function StatusBar({ latest }: { latest: Status | null }) {
  const path = usePath();
  const [{ id, status }, setShown] = useState({ id: 0, status: null as Status | null });
  const [closedId, setClosedId] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const [opened, setOpened] = useState({ id, path });
  const bar = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);

  if (opened.id !== id) setOpened({ id, path });
  const hasLeftPage = opened.id === id && opened.path !== path;
  const isLeft = status?.links && !status.action && hasLeftPage;
  const shown = id === closedId || isLeft ? null : status;
  const isVisible = shown !== null && !shown.isOnlyHeard;
  const hasOnlyLinks = shown?.links !== undefined && !shown.action;
  const isPlain = shown !== null && !shown.links && !shown.action;
  const stayMs = shown?.isBrief
    ? briefStayMs
    : isPlain
      ? textStayMs
      : hasOnlyLinks
        ? linkStayMs
        : null;

  useEffect(() => {
    const show = () => setShown(({ id }) => ({ id: id + 1, status: latest }));
    const timer = setTimeout(show, regionDelayMs);
    return () => clearTimeout(timer);
  }, [latest]);

  useEffect(() => {
    if (stayMs === null || isHeld) return;
    const timer = setInterval(() => {
      if (!document.hidden) setClosedId(id);
    }, stayMs);
    return () => clearInterval(timer);
  }, [id, stayMs, isHeld]);

  const onVisibility = useEffectEvent(() => document.hidden && close());
  useEffect(() => {
    if (!shown?.isBrief) return;
    onVisibility();
    const stop = new AbortController();
    document.addEventListener('visibilitychange', () => onVisibility(), stop);
    return () => stop.abort();
  }, [shown]);

  const onPress = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !bar.current?.contains(target)) close();
  });
  useEffect(() => {
    if (!hasOnlyLinks) return;
    const stop = new AbortController();
    document.addEventListener('click', (event) => onPress(event), stop);
    return () => stop.abort();
  }, [hasOnlyLinks]);

  useLayoutEffect(() => {
    const { current } = bar;
    if (!shown || !isVisible || !current) return;
    current.popover = 'manual';
    current.showPopover();
    const release = placeBar(current);
    return () => {
      release();
      current.popover = null;
    };
  }, [shown, isVisible]);

  const close = () => {
    if (bar.current?.contains(document.activeElement)) returnFocus(cameFrom.current);
    setHeld(false);
    setClosedId(id);
  };
  const run = () => {
    close();
    shown?.action?.run();
  };
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    if (!bar.current?.contains(relatedTarget)) cameFrom.current = relatedTarget;
    setHeld(true);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: they only delay or repeat the closing
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has the name with the role
    <div
      ref={bar}
      className={isVisible ? `popup unprinted ${styles.bar}` : 'visually-hidden'}
      role={isVisible ? 'region' : undefined}
      aria-label={isVisible ? 'Aviso' : undefined}
      onFocus={onFocus}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <div className={`row ${styles.message}`} role="status">
        {shown && (
          // A new element each time: an unchanged text in the same element is announced only once.
          <p key={id} dir="auto">
            {shown.text}
          </p>
        )}
        {shown?.links?.map(({ label, ...link }) => (
          <Link
            key={link.href}
            className={`bare clamped ${styles.link}`}
            {...link}
            onClick={close}
            dir="auto"
          >
            {label}
          </Link>
        ))}
        {shown?.action && (
          <button type="button" className={`bare target ${styles.link}`} onClick={run}>
            {shown.action.label}
          </button>
        )}
      </div>
      {isVisible && (
        <button
          type="button"
          className={`${buttons.round} ${styles.close}`}
          aria-label="Cerrar aviso"
          onClick={close}
        >
          <Icon size={18} path="M18 6 6 18M6 6l12 12" />
        </button>
      )}
    </div>
  );
}

function returnFocus(target: EventTarget | null): void {
  const isThere = target instanceof HTMLElement && target.isConnected;
  const element = isThere ? target : document.querySelector<HTMLElement>('main h1');
  element?.focus({ preventScroll: true });
}

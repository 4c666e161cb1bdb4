import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** A text as a QR code, black on white in both themes, with the quiet zone that scanners need. */
export function QrCode({ text, title }: { text: string; title: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => isDark && `M${x} ${y}h1v1h-1z`));
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img">
      <title>{title}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.filter(Boolean).join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

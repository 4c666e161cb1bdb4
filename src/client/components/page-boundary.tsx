import { Component, type ReactNode } from 'react';
import { texts } from '../texts.ts';
import { LoadFailure } from './notice.tsx';

interface PageBoundaryProps {
  children: ReactNode;
  /** If given, nothing is shown instead of the error, and the content again after the next focus. */
  onRetry?: (() => void) | undefined;
}

/** Shows an error instead of content that fails to render. React requires a class for that. */
export class PageBoundary extends Component<PageBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch() {
    if (this.props.onRetry) addEventListener('focus', this.retry, { once: true });
  }

  override componentWillUnmount() {
    removeEventListener('focus', this.retry);
  }

  retry = () => {
    this.props.onRetry?.();
    this.setState({ hasFailed: false });
  };

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    if (this.props.onRetry) return null;
    return <LoadFailure message={texts.pageFailed} onRetry={() => location.reload()} />;
  }
}

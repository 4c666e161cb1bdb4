import { Component, type ReactNode } from 'react';
import { LoadFailure } from '../notice.tsx';

interface PageBoundaryProps {
  children: ReactNode;
  /** Shows nothing instead of the error. */
  isQuiet?: boolean;
}

/** Shows an error instead of content that fails to render. React requires a class for this. */
export class PageBoundary extends Component<PageBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    if (this.props.isQuiet) return null;
    return (
      <LoadFailure
        message="No se pudo mostrar esta parte de la página"
        onRetry={() => location.reload()}
      />
    );
  }
}

import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../ui/states.tsx';

/** A page that fails takes nothing but itself away. */
export class PageGuard extends Component<{ readonly children: ReactNode }, { readonly thrown?: unknown }> {
  override state: { readonly thrown?: unknown } = {};

  static getDerivedStateFromError(thrown: unknown) {
    return { thrown };
  }

  override render() {
    if (this.state.thrown === undefined) return this.props.children;
    // A part of the console may have been replaced by a newer one while this page was open.
    return <ErrorNote error={this.state.thrown} again={() => location.reload()} />;
  }
}

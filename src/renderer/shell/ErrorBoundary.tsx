import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button, Empty } from '../ui/controls.tsx';

interface Props {
  /** Name of the view in the message: “The preview”. */
  what: string;
  children: ReactNode;
}

/** Limits a defect in one view to that view. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Empty icon={<CircleAlert size={28} />} title={`${this.props.what} failed`}>
        <p>{error.message}</p>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </Empty>
    );
  }
}

import '../shared/plain-schemas.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import { desktop } from './platform/host.ts';
import { startApp } from './platform/state.ts';
import { App } from './shell/App.tsx';
import { followDesktop } from './shell/desktop.ts';

startApp();
if (desktop) followDesktop(desktop);
const root = document.getElementById('root');
if (!root) throw new Error('the page has no place for the app');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

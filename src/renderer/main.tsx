import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import { App } from './app/App.tsx';
import { followDesktop } from './app/desktop.ts';
import { startApp } from './app/state.ts';
import { desktop } from './engine/host.ts';

startApp();
if (desktop) followDesktop(desktop);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

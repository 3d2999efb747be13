import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { connection, useConnection } from "../api";
import { Button, Toasts } from "../components";
import { Connect } from "./Connect";
import { ConnectionMark } from "./ConnectionMark";
import { Rail } from "./Rail";

/** The frame around every page. What was typed stays while the gateway is away. */
export function Shell() {
  const state = useConnection();
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(() => {
    if (state.phase === "open") setWasOpen(true);
  }, [state.phase]);
  const gated = !wasOpen || state.phase === "refused";
  return (
    <>
      {gated && <Connect state={state} />}
      {wasOpen && <Frame hidden={gated} />}
      <Toasts />
    </>
  );
}

function Frame({ hidden }: { hidden: boolean }) {
  const [menu, setMenu] = useState(false);
  const { pathname } = useLocation();
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setMenu(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (menu) document.querySelector<HTMLElement>(".rail select, .rail a")?.focus();
  }, [menu]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setMenu(false), [pathname]);
  return (
    <div className="shell" hidden={hidden} data-menu={menu ? "open" : undefined}>
      <a className="button primary skip" href="#main">
        Skip to the page
      </a>
      <Rail onClose={close} />
      {menu && <button type="button" className="rail-backdrop" aria-label="Close the menu" onClick={close} />}
      <div className="main">
        <header className="topbar">
          <Button
            ref={opener}
            icon="menu"
            aria-label="Menu"
            aria-expanded={menu}
            onClick={() => setMenu(true)}
          />
          <strong>Prowess</strong>
          <ConnectionMark />
        </header>
        <LostBar />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

function LostBar() {
  const state = useConnection();
  if (state.phase !== "lost") return null;
  return (
    <div className="lost-bar" role="status">
      <strong>No connection to the gateway.</strong>
      <span>What you see is from before. It is tried again by itself; nothing that you typed is lost.</span>
      <Button size="small" onClick={() => connection.start()}>
        Try now
      </Button>
    </div>
  );
}

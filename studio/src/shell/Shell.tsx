import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { connection, useConnection, useGatewayEvent } from "../api";
import { Button, Toasts, toast } from "../components";
import { useCurrentAgent } from "../lib/agents";
import { Connect } from "./Connect";
import { ConnectionMark } from "./ConnectionMark";
import { focusPage, useFocusOnNewPage, useKeptFocus } from "./focus";
import { HeldChange } from "./HeldChange";
import { KeyList, useKeys } from "./Keyboard";
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
  const [keys, setKeys] = useState(false);
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
  useFocusOnNewPage(pathname);
  useKeptFocus();
  useDoorbell();
  const showKeys = useCallback(() => setKeys(true), []);
  useKeys(showKeys);
  return (
    <div className="shell" hidden={hidden} data-menu={menu ? "open" : undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page, without a change of the address */}
      <a
        className="button primary skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          focusPage();
        }}
      >
        Skip to the page
      </a>
      <Rail onClose={close} onKeys={showKeys} />
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
      <HeldChange />
      {keys && <KeyList onClose={() => setKeys(false)} />}
    </div>
  );
}

/** Says on every page that a device waits for approval. */
function useDoorbell(): void {
  const navigate = useNavigate();
  const agentId = useCurrentAgent();
  const ring = useCallback(() => {
    toast("A device is waiting for approval.", {
      kind: "info",
      key: "device",
      action: {
        label: "Show it",
        run: () => void navigate({ to: "/", search: { settingsAgentId: agentId, tab: "devices" } }),
      },
    });
  }, [navigate, agentId]);
  useGatewayEvent("device.pair.requested", ring);
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

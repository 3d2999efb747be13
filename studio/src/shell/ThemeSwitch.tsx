import { useState } from "react";
import { Icon, type IconName } from "../components";
import { chooseTheme, chosenTheme, type Theme } from "../lib/theme";

const CHOICES: { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "system", icon: "screen", label: "Colours as the system has them" },
  { theme: "light", icon: "sun", label: "Light colours" },
  { theme: "dark", icon: "moon", label: "Dark colours" },
];

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <fieldset className="theme" aria-label="Colours">
      {CHOICES.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          className="filter"
          aria-label={choice.label}
          title={choice.label}
          aria-pressed={theme === choice.theme}
          onClick={() => {
            chooseTheme(choice.theme);
            setTheme(choice.theme);
          }}
        >
          <Icon name={choice.icon} size={14} />
        </button>
      ))}
    </fieldset>
  );
}

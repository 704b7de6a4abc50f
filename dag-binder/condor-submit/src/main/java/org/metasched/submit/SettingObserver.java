package org.metasched.submit;

/** Receiver of the settings of a description as they are made, those of included files and of queue statements too. */
@FunctionalInterface
public interface SettingObserver {

    /**
     * Takes one setting.
     *
     * @param file the file that has it, as it was named
     * @param line number of the line, from 1; 0 if the setting is on no line
     */
    void set(String name, String file, int line);
}

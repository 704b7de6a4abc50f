// Renders the templates of a chart with Go's own text/template, as Helm does, with the few functions that ours use; no Helm needed.
//
//	go run test/dist/chart.go CHART-FOLDER values.json
//
// The values are JSON (the caller has merged and converted them); a missing key is an error.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func main() {
	text, err := os.ReadFile(os.Args[2])
	check(err)
	var data map[string]any
	check(json.Unmarshal(text, &data))
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		check(err)
		parsed, err := template.New(filepath.Base(file)).Option("missingkey=error").Funcs(functions).Parse(string(source))
		check(err)
		var out bytes.Buffer
		check(parsed.Execute(&out, data))
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println("---\n" + out.String())
		}
	}
}

var functions = template.FuncMap{
	// JSON is YAML: enough for what is put into a document, in one line.
	"toYaml": func(value any) (string, error) {
		if entries, ok := value.(map[string]any); ok {
			var lines []string
			for key, one := range entries {
				text, err := json.Marshal(one)
				if err != nil {
					return "", err
				}
				lines = append(lines, key+": "+string(text))
			}
			return strings.Join(lines, "\n"), nil
		}
		text, err := json.Marshal(value)
		return string(text), err
	},
	"nindent": func(width int, text string) string {
		pad := "\n" + strings.Repeat(" ", width)
		return pad + strings.ReplaceAll(text, "\n", pad)
	},
	"quote": func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
	"int":   func(value float64) int { return int(value) },
	"default": func(usual, given any) any {
		if given == nil || given == "" {
			return usual
		}
		return given
	},
	"required": func(message string, given any) (any, error) {
		if given == nil || given == "" {
			return nil, errors.New(message)
		}
		return given, nil
	},
	"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

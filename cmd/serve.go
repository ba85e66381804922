package cmd

import (
	"errors"

	"fornix/web"
)

type serveCommand struct{}

func (serveCommand) Run(p *program) error {
	app, err := web.New(p.ctx, p.cfg)
	if err != nil {
		return err
	}
	if err := p.printf("url: %s\n", app.URL()); err != nil {
		return errors.Join(err, app.Close())
	}
	return errors.Join(app.Run(p.ctx), app.Close())
}

type demoCommand struct{}

func (demoCommand) Run(p *program) error {
	app, welcome, err := web.NewDemo(p.ctx, p.cfg)
	if err != nil {
		return err
	}
	if _, err := p.out.Write([]byte(welcome.Text())); err != nil {
		return errors.Join(err, app.Close())
	}
	return errors.Join(app.Run(p.ctx), app.Close())
}

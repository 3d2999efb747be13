#!/bin/sh
echo tea

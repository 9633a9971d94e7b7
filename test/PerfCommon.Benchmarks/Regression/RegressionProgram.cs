using System.Globalization;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;

namespace PerfCommon.Benchmarks.Regression;

/// <summary><c>regression</c>: checks whether a hot path has become slower than recorded on this processor model.</summary>
internal static class RegressionProgram
{
    private const string TieringVariable = "DOTNET_TieredCompilation";

    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("regression", () => RegressionOptions.CreateTable(), args, output, error, Check);

    /// <summary>Requires that code is measured as the tools run it: compiled once and fully.</summary>
    /// <exception cref="SetupException">The environment does not set this.</exception>
    public static void RequireNoTiering()
    {
        if (Environment.GetEnvironmentVariable(TieringVariable) != "0")
        {
            throw new SetupException(SetupProblem.CommandLine,
                $"measures code as the tools run it: set {TieringVariable}=0, as run.sh does");
        }
    }

    private static RunOutcome Check(RegressionOptions options, RunHost host)
    {
        RequireNoTiering();
        HotCase[] cases = [.. HotCases.All.Where(c => c.Name.Contains(options.Case ?? "", StringComparison.Ordinal))];
        if (cases.Length == 0)
            throw new SetupException(SetupProblem.CommandLine, $"no case contains \"{options.Case}\"");
        host.Console.Write(MachineHead.WriteMachine);
        return options.Dry ? Try(cases, host) : Judge(cases, options, host);
    }

    private static RunOutcome Try(HotCase[] cases, RunHost host)
    {
        Trials trials = new();
        foreach (HotCase what in cases)
        {
            double ratio = trials.Begin(what).Measure();
            host.Console.Write(writer => writer.Line($"DRY       {what.Name,-32}  {ratio,9:F5}"));
        }

        return RunOutcome.Success;
    }

    private static RunOutcome Judge(HotCase[] cases, RegressionOptions options, RunHost host)
    {
        string model = MachineTraits.ProcessorModel;
        RecordedRatios recorded = RecordedRatios.Read(options.RecordedPath);
        host.Console.Write(writer => writer.Line(
            $"passes of the reference loop for one message, smallest of {RatioJudge.Rounds} rounds, and what is recorded"));
        Trials trials = new();
        List<string> slower = [];
        bool hasNew = false;
        foreach (HotCase what in cases.TakeWhile(_ => host.Signals.Code is null))
        {
            double? known = options.Record ? null : recorded.Find(model, what.Name);
            RatioVerdict verdict = RatioJudge.Judge(() => trials.Begin(what).Measure, known);
            host.Console.Write(writer => Write(writer, what, verdict));
            if (verdict.IsSlower)
                slower.Add(what.Name);
            if (verdict.IsNew)
                recorded.Set(model, what.Name, verdict.Ratio);
            hasNew |= verdict.IsNew;
        }

        if (hasNew)
            recorded.Write(options.RecordedPath);
        return slower.Count == 0
            ? RunOutcome.Success
            : new RunOutcome(ExitCode.AssertionMissed, $"slower than recorded on this processor: {string.Join(", ", slower)}");
    }

    private static void Write(TextWriter writer, HotCase what, RatioVerdict verdict)
    {
        string word = verdict.IsNew ? "RECORDED" : verdict.IsSlower ? "SLOWER" : "OK";
        string trials = string.Join(' ', verdict.Trials.Select(ratio => ratio.ToString("F5", CultureInfo.InvariantCulture)));
        if (verdict.IsNew)
            writer.Line($"{word,-8}  {what.Name,-32}  {verdict.Ratio,9:F5}                        of {trials}");
        else
            writer.Line($"{word,-8}  {what.Name,-32}  {verdict.Ratio,9:F5}  {verdict.Recorded,9:F5}  x {verdict.Growth:F3}  of {trials}");
    }
}

using System.Runtime.InteropServices;

namespace PerfTools.Machine;

/// <summary>Reads the traits of the machine on which every figure depends besides the code: processor, kernel, congestion control.</summary>
internal static class MachineTraits
{
    private const string ProcessorFile = "/proc/cpuinfo";
    private const string CongestionFile = "/proc/sys/net/ipv4/tcp_congestion_control";

    private const string VendorRow = "vendor_id";
    private const string NameRow = "model name";
    private static readonly string[] ModelRows = [NameRow, "cpu family", "model", "CPU implementer", "CPU part"]; // the last two on Arm

    /// <summary>The processor's model, the same text on every machine that has one.</summary>
    public static string ProcessorModel { get; } =
        (File.Exists(ProcessorFile)
            ? ParseModel(File.ReadAllText(ProcessorFile)) : Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER"))
        ?? $"unknown {RuntimeInformation.ProcessArchitecture}";

    /// <summary>The maker of the processor; null where the system does not report it.</summary>
    public static string? ProcessorVendor { get; } = File.Exists(ProcessorFile) ? ParseVendor(File.ReadAllText(ProcessorFile)) : null;

    /// <summary>The congestion control of new TCP connections.</summary>
    public static string CongestionControl { get; } = File.Exists(CongestionFile) ? File.ReadAllText(CongestionFile).Trim() : "unknown";

    /// <summary>Finds the model in the text of <c>/proc/cpuinfo</c>.</summary>
    /// <returns>Name, family and model as far as the text has them, or the part number; null for another form.</returns>
    public static string? ParseModel(string text)
    {
        string[] found = [.. ModelRows.Select(name => (Name: name, Value: FindValue(text, name)))
            .Where(row => row.Value is not null)
            .Select(row => row.Name == NameRow ? row.Value! : $"{row.Name} {row.Value}")];
        return found.Length > 0 ? string.Join(", ", found) : null;
    }

    /// <summary>Finds the vendor in the same text.</summary>
    public static string? ParseVendor(string text) => FindValue(text, VendorRow);

    // name <tab> : value, of the first processor
    private static string? FindValue(string text, string name) => text.Split('\n')
        .Select(line => line.Split(':', 2, StringSplitOptions.TrimEntries))
        .FirstOrDefault(parts => parts.Length == 2 && parts[0] == name)?[1];
}

using System.Globalization;
using System.Xml;
using PerfCommon;

namespace PerfTools.Reports;

/// <summary>An assertion as a test case.</summary>
/// <param name="Name">The assertion as it was typed.</param>
/// <param name="Failure">Why it was missed; null when it was kept.</param>
internal sealed record JUnitCase(string Name, string? Failure);

/// <summary>Assertions in the form that CI systems read as test results.</summary>
internal static class JUnitFile
{
    private const string Tool = "perftools";

    /// <summary>Writes one suite.</summary>
    public static void Write(TextWriter writer, string suite, IReadOnlyList<JUnitCase> cases)
    {
        using (XmlWriter xml = XmlWriter.Create(writer,
            new() { Indent = true, OmitXmlDeclaration = true, NewLineChars = "\n", CloseOutput = false }))
        {
            xml.WriteStartElement("testsuite");
            xml.WriteAttributeString("name", $"{Tool} {suite}");
            xml.WriteAttributeString("tests", cases.Count.ToString(CultureInfo.InvariantCulture));
            xml.WriteAttributeString("failures", cases.Count(one => one.Failure is not null).ToString(CultureInfo.InvariantCulture));
            foreach (JUnitCase one in cases)
                Write(xml, suite, one);
            xml.WriteEndElement();
        }

        writer.Write('\n');
    }

    private static void Write(XmlWriter xml, string suite, JUnitCase one)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", $"{Tool}.{suite.Replace(' ', '.')}");
        xml.WriteAttributeString("name", PrintableText.From(one.Name, PrintableText.MaxLineChars));
        if (one.Failure is not null)
        {
            xml.WriteStartElement("failure");
            xml.WriteAttributeString("message", PrintableText.From(one.Failure, PrintableText.MaxLineChars));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }
}
